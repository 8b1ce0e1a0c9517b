/* Work of many kinds: products of matrices, sorting, a Fourier transform, words counted, memory taken and given back, a
 * file written and read. Prints what came out. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { N = 24, SORTED = 2000, POINTS = 256 };

static void matrices(void) {
  static double a[N][N], b[N][N], c[N][N];
  double sum = 0;
  for (int i = 0; i < N * N; i++)
    a[i / N][i % N] = i % 7 - 3.5, b[i / N][i % N] = 1.0 / (i + 1);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        c[i][j] += a[i][k] * b[k][j];
  for (int i = 0; i < N * N; i++)
    sum += c[i / N][i % N] * i;
  printf("matrices %.17g\n", sum);
}

static int compare(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return x < y ? -1 : x > y;
}

static void sorting(void) {
  int *numbers = malloc(SORTED * sizeof *numbers);
  unsigned state = 12345, sum = 0;
  for (int i = 0; i < SORTED; i++)
    numbers[i] = (int)(state = state * 1664525 + 1013904223) >> 4;
  qsort(numbers, SORTED, sizeof *numbers, compare);
  for (int i = 0; i < SORTED; i++)
    sum = sum * 31 + (unsigned)numbers[i];
  printf("sorting %d %d %u\n", numbers[0], numbers[SORTED - 1], sum);
  free(numbers);
}

static void transform(float *re, float *im, int n, int step) {
  if (n == 1) return;
  transform(re, im, n / 2, 2 * step);
  transform(re + step, im + step, n / 2, 2 * step);
  float r[POINTS], m[POINTS];
  for (int k = 0; k < n / 2; k++) {
    float angle = (float)(-2 * M_PI * k / n), c = cosf(angle), s = sinf(angle);
    float x = re[(2 * k + 1) * step] * c - im[(2 * k + 1) * step] * s;
    float y = re[(2 * k + 1) * step] * s + im[(2 * k + 1) * step] * c;
    r[k] = re[2 * k * step] + x, m[k] = im[2 * k * step] + y;
    r[k + n / 2] = re[2 * k * step] - x, m[k + n / 2] = im[2 * k * step] - y;
  }
  for (int k = 0; k < n; k++)
    re[k * step] = r[k], im[k * step] = m[k];
}

static void fourier(void) {
  static float re[POINTS], im[POINTS];
  float sum = 0;
  for (int i = 0; i < POINTS; i++)
    re[i] = sinf((float)(2 * M_PI * 5 * i / POINTS));
  transform(re, im, POINTS, 1);
  for (int i = 0; i < POINTS; i++)
    sum += hypotf(re[i], im[i]) * (float)(i % 11);
  printf("fourier %.9g %.9g\n", (double)im[5], (double)sum);
}

static void words(const char *path) {
  char line[200], *word;
  int count = 0, longest = 0;
  FILE *file = fopen(path, "w+");
  for (int i = 0; i < 40; i++)
    fprintf(file, "%d times %x is %o, and %s\n", i, i * i, i << 3, i % 3 ? "so on" : strrchr("a/b/end", '/'));
  rewind(file);
  while (fgets(line, sizeof line, file))
    for (word = strtok(line, " ,\n"); word; word = strtok(NULL, " ,\n"), count++)
      if ((int)strlen(word) > longest) longest = (int)strlen(word);
  fclose(file);
  remove(path);
  printf("words %d %d\n", count, longest);
}

/* What was given back to the system is zero when it comes again. */
static void memory(void) {
  enum { PARTS = 400, SIZE = 1000 };
  static char *part[PARTS];
  int old = 0;
  for (int i = 0; i < PARTS; i++)
    memset(part[i] = malloc(SIZE), 0xab, SIZE);
  for (int i = 0; i < PARTS; i++)
    free(part[i]);
  for (int i = 0; i < PARTS; i++) {
    part[i] = calloc(1, SIZE);
    for (int k = 0; k < SIZE; k++)
      old += part[i][k] != 0;
  }
  printf("memory %d bytes of before\n", old);
}

static void files(const char *path) {
  char name[500], other[500], there[20] = "";
  snprintf(name, sizeof name, "%s.folder", path);
  snprintf(other, sizeof other, "%s.folder/file", path);
  FILE *file = tmpfile();
  fprintf(file, "without a name");
  rewind(file);
  printf("files %d", (int)fread(there, 1, sizeof there, file));
  printf(" %d", (int)pread(fileno(file), there, 4, 8));
  printf(" %.4s %ld", there, ftell(file));
  printf(" %d", ftruncate(fileno(file), 5));
  fseek(file, 0, SEEK_END);
  printf(" %ld", ftell(file));
  fclose(file);
  file = fopen(path, "w");
  printf(" %d %d", mkdir(name, 0700), fclose(file));
  printf(" %d %d %d", rename(path, other), remove(other), rmdir(name));
  printf(" %d\n", getcwd(other, sizeof other) && *other == '/');
}

int main(int count, char **arguments) {
  matrices();
  sorting();
  fourier();
  words(count > 1 ? arguments[1] : "words.txt");
  memory();
  files(count > 1 ? arguments[1] : "words.txt");
  printf("%g %g %g %a\n", pow(2, 0.5), exp(-1), 0.0 / (count - count), nextafter(1, 2));
  return count;
}
