#!/usr/bin/perl
# Assembles a program of PISA for tests: assemble.pl FILE < TEXT. A line is `label:`, `name operands`, a directive
# `.word N`, `.text "..."`, which go to the data, or `.repeat N` before a line. Numbers of instructions are those of
# technical report 1342 of the University of Wisconsin, appendix A. Code begins at 0x400000, data at 0x10000000.
use strict;
use warnings;

my %forms = (
  # name => [number, operands]: r rd, s rs, t rt, i immediate, o offset(base), j label far, b label near, h shift
  nop => [0x00, ''], j => [0x01, 'j'], jal => [0x02, 'j'], jr => [0x03, 's'], jalr => [0x04, 'ds'],
  beq => [0x05, 'stb'], bne => [0x06, 'stb'], blez => [0x07, 'sb'], bgtz => [0x08, 'sb'], bltz => [0x09, 'sb'],
  bgez => [0x0a, 'sb'], bc1f => [0x0b, 'b'], bc1t => [0x0c, 'b'],
  lb => [0x20, 'to'], lbu => [0x22, 'to'], lh => [0x24, 'to'], lhu => [0x26, 'to'], lw => [0x28, 'to'],
  dlw => [0x29, 'to'], 'l.s' => [0x2a, 'to'], 'l.d' => [0x2b, 'to'], lwl => [0x2c, 'to'], lwr => [0x2d, 'to'],
  sb => [0x30, 'to'], sh => [0x32, 'to'], sw => [0x34, 'to'], dsw => [0x35, 'to'], 's.s' => [0x36, 'to'],
  's.d' => [0x37, 'to'], dsz => [0x38, 'o'], swl => [0x39, 'to'], swr => [0x3a, 'to'],
  'lw+' => [0xc4, 'tsd'], 'sw+' => [0xc8, 'tsd'],
  add => [0x40, 'dst'], addi => [0x41, 'tsi'], addu => [0x42, 'dst'], addiu => [0x43, 'tsi'], sub => [0x44, 'dst'],
  subu => [0x45, 'dst'], mult => [0x46, 'st'], multu => [0x47, 'st'], div => [0x48, 'st'], divu => [0x49, 'st'],
  mfhi => [0x4a, 'd'], mthi => [0x4b, 's'], mflo => [0x4c, 'd'], mtlo => [0x4d, 's'], and => [0x4e, 'dst'],
  andi => [0x4f, 'tsi'], or => [0x50, 'dst'], ori => [0x51, 'tsi'], xor => [0x52, 'dst'], xori => [0x53, 'tsi'],
  nor => [0x54, 'dst'], sll => [0x55, 'dth'], sllv => [0x56, 'dts'], srl => [0x57, 'dth'], srlv => [0x58, 'dts'],
  sra => [0x59, 'dth'], srav => [0x5a, 'dts'], slt => [0x5b, 'dst'], slti => [0x5c, 'tsi'], sltu => [0x5d, 'dst'],
  sltiu => [0x5e, 'tsi'],
  'add.d' => [0x71, 'dst'], 'sub.d' => [0x73, 'dst'], 'mul.d' => [0x75, 'dst'], 'div.d' => [0x77, 'dst'],
  'mov.d' => [0x7b, 'ds'], 'neg.d' => [0x7d, 'ds'], 'cvt.d.w' => [0x83, 'ds'], 'cvt.w.d' => [0x85, 'ds'],
  'c.eq.d' => [0x91, 'st'], 'c.lt.d' => [0x93, 'st'], 'sqrt.d' => [0x97, 'ds'],
  syscall => [0xa0, ''], break => [0xa1, ''], lui => [0xa2, 'ti'], mfc1 => [0xa3, 'ts'], mtc1 => [0xa5, 'ts'],
  unknown => [0xff, ''],
);

my ($text, $data) = (0x400000, 0x10000000);
my (@lines, %label, $bytes);
my ($repeat, $at) = (1, $text);
$bytes = '';
while (<STDIN>) {
  s/#.*//;
  my $is_label = s/^\s*(\w+)://;
  my ($name, $label) = ($1);
  $label = $at if $is_label;
  if (/^\s*\.word\s+(.*)/) { $label = $data + length $bytes if $is_label; $bytes .= pack 'V*', map { oct_or($_) } split ' ', $1 }
  elsif (/^\s*\.text\s+"(.*)"/) { $label = $data + length $bytes if $is_label; $bytes .= $1 =~ s/\\n/\n/gr . "\0" }
  elsif (/^\s*\.repeat\s+(\d+)/) { $repeat = $1 }
  elsif (/^\s*(\S+)\s*(.*?)\s*$/) { push @lines, [$1, [split /[\s,()]+/, $2]] for 1 .. $repeat; $at += 8 * $repeat; $repeat = 1 }
  $label{$name} = $label if $is_label;
}
sub oct_or { return $_[0] =~ /^0/ ? oct $_[0] : $_[0] }
sub value {
  my ($word) = @_;
  return $label{$2} >> 16 if $word =~ /^(hi):(\w+)/;
  return $label{$1} & 0xffff if $word =~ /^lo:(\w+)/;
  return defined $label{$word} ? $label{$word} : $word =~ /^-/ ? -oct_or(substr $word, 1) : oct_or($word);
}

my $code = '';
for my $n (0 .. $#lines) {
  my ($name, $operands) = @{$lines[$n]};
  my $form = $forms{$name} or die "no instruction is named $name\n";
  my ($number, $kinds) = @$form;
  my @given = @$operands;
  my ($s, $t, $low) = (0, 0, 0);
  for my $kind (split //, $kinds) {
    my $given = shift @given;
    my ($register) = $given =~ /^\$f?(\d+)$/;
    if ($kind eq 'd') { $low |= $register << 8 }
    elsif ($kind eq 's') { $s = $register }
    elsif ($kind eq 't') { $t = $register }
    elsif ($kind eq 'i') { $low = value($given) & 0xffff }
    elsif ($kind eq 'h') { $low |= value($given) & 0xff }
    elsif ($kind eq 'o') { $low = value($given) & 0xffff; ($s) = shift(@given) =~ /(\d+)/ }
    elsif ($kind eq 'b') { $low = (($label{$given} // die "no label $given\n") - ($text + 8 * $n + 8)) >> 2 & 0xffff }
    elsif ($kind eq 'j') { $low = (($label{$given} // die "no label $given\n") >> 2) & 0x3ffffff }
  }
  $code .= pack 'VV', $number, $s << 24 | $t << 16 | $low;
}

my $headers = 20 + 56 + 2 * 40;
$bytes .= "\0" x 4;
open my $file, '>:raw', $ARGV[0] or die "$ARGV[0]: $!\n";
print $file pack('vvVVVvv', 0x162, 2, 0, 0, 0, 56, 0);
print $file pack('vvV12', 0x10b, 0, length $code, length $bytes, 4096, $text, $text, $data, $data + length $bytes, 0, 0, 0, 0, 0),
  pack('V', $data + 0x8000);
print $file pack('a8V6vvV', '.text', $text, $text, length $code, $headers, 0, 0, 0, 0, 0x20);
print $file pack('a8V6vvV', '.data', $data, $data, length $bytes, $headers + length $code, 0, 0, 0, 0, 0x40);
print $file $code, $bytes;
close $file or die "$ARGV[0]: $!\n";
