# Numbers, functions and lists at the prompt, as calculators, spreadsheets, Python and MATLAB have them.
for question in 'log(2, 8)' 'log(8, 2)' 'lg(8)' 'sum(1, 2, 3)' 'mean(1, 2)' 'round(3.456, 2)' 'cbrt(8)' 'square(3)' 'exp2(3)' 'sign(-3)' 'factorial(5)' 'map(f, [1])' '1,000' '1,5' 'if(1 > 2, 3, 4)' '[1, 2, 3][1:2]' '1:3' '5 Mbit' 'study { workers = 1 .. 3 }'; do
  psl -e "$question" 2>&1
done
