# shellcheck shell=bash
# Prints a line first, and then the inodes that the processes in `found` may store into through memory. Starts no program
# when there is no process.
#
# awk reads the maps of these processes, and `smaps` where those do not suffice: a mapping for reading may be made
# writable (`mw`) when its file was opened so. A process that ends meanwhile has released everything.
# shellcheck disable=SC2154 # `found` is the caller's
print_race() {
  echo "looked $EPOCHREALTIME"
  [ ${#found[@]} = 0 ] || awk '
function say(inode) { if (inode > 0 && !said[inode]++) print "mapped " inode }
BEGIN {
  for (at = 1; at < ARGC; at++) {
    file = "/proc/" ARGV[at]; unsure = 0
    while ((getline line < (file "/maps")) > 0) if (line ~ /^[^ ]+ ...s /) {
      split(line, field, " ")
      if (field[2] ~ /w/) say(field[5]); else if (field[6] !~ /^\/(usr|lib|opt|etc)\//) unsure = 1
    }
    close(file "/maps")
    if (!unsure) continue
    while ((getline line < (file "/smaps")) > 0)
      if (line ~ /^[^ ]+ [r-][w-][x-][sp] /) { split(line, field, " "); inode = field[2] ~ /s$/ ? field[5] : 0 }
      else if (line ~ /^VmFlags:.* mw/) say(inode)
    close(file "/smaps")
  }
}' "${found[@]}" 2>/dev/null
}
