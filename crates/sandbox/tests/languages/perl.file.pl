use strict;
use warnings;
use File::Basename;
my $hits = grep { /ERROR/ } split /\n/, $FILE_CONTENT;
print "$hits in ", basename($FILE_CONTENT_PATH), "\n";
