#!/usr/bin/env bash
# Installs what `make demo`, `make test` and `make bench` need, and nothing that is there already. Safe to run again.
#
#   scripts/setup.sh            TeX and other programs (apt, as root or through sudo), then Python packages in .venv
#   scripts/setup.sh --python   Python packages only
#   scripts/setup.sh --all-manuals   also the manuals of the packages beyond the core six (about 1.0 GB to load, 1.3 GB on disk)
#
# PYTHON=/path/to/python3 chooses the interpreter (3.11 or later).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

TEX_PACKAGES=(
  texlive-latex-base texlive-latex-recommended texlive-latex-extra texlive-pictures texlive-science
  texlive-luatex texlive-xetex lmodern
  texlive-plain-generic # chemfig reads keys by simplekv
  cm-super-minimal      # text symbols (micro, degree) as outlines: a document in isolation cannot make bitmap fonts
  texlive-pictures-doc # the six manuals' sources
)
OTHER_PACKAGES=(
  bubblewrap    # documents run without network and without your files
  dvisvgm # the second reader
  latexmk poppler-utils ghostscript # the reference pipeline that `make bench` times
)
PROGRAMS=(pdflatex lualatex xelatex bwrap dvisvgm latexmk pdftoppm gs)
TEX_FILES=(
  standalone.cls tikz.sty pgfplots.sty circuitikz.sty chemfig.sty tkz-euclide.sty tikz-network.sty
  siunitx.sty fontspec.sty luaotfload.sty lmodern.sty simplekv.tex sfrm1000.pfb
)
MANUALS=(generic/pgf latex/pgfplots latex/circuitikz generic/chemfig latex/tkz-euclide latex/tikz-network)
MANUALS_PACKAGES=(texlive-pictures-doc)

# --all-manuals: what else has sources of a manual, and the one package that such a manual is about and that no other brings.
MORE_PACKAGES=(texlive-latex-base-doc texlive-latex-extra-doc texlive-pstricks-doc texlive-pstricks)
MORE_MANUALS=(latex/amsmath latex/tcolorbox latex/comment generic/pst-solides3d)

say() { printf 'setup: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

# --- programs -------------------------------------------------------------------------------------------------------

missing_debian_packages() { # prints those of "$@" that dpkg has not installed
  local installed package
  # It fails where it does not know one of the names, and tells of the others all the same.
  installed="$(dpkg-query -W -f='${db:Status-Status}/${Package}\n' "$@" 2>/dev/null || true)"
  installed=" $(sed -n 's|^installed/||p' <<<"$installed" | tr '\n' ' ') "
  for package in "$@"; do
    [[ $installed == *" $package "* ]] || printf '%s\n' "$package"
  done
}

missing_by_function() { # prints programs and TeX files that cannot be found, whoever installed them
  local program found file
  for program in "${PROGRAMS[@]}"; do
    command -v "$program" >/dev/null || printf '%s\n' "$program"
  done
  found=""
  ! command -v kpsewhich >/dev/null || found="$(kpsewhich "${TEX_FILES[@]}" || true)"
  for file in "${TEX_FILES[@]}"; do
    [[ $found == *"/$file"* ]] || printf '%s\n' "$file"
  done
}

missing_manuals() { # prints the manuals whose sources no TeX tree has
  local trees tree manual folder
  trees="$(command -v kpsewhich >/dev/null && kpsewhich --expand-path='$TEXMF' | tr ':' '\n')" || true
  for manual in "${MANUALS[@]}"; do
    while IFS= read -r tree; do
      folder="$tree/doc/$manual"
      compgen -G "$folder/*.tex*" >/dev/null && continue 2
      compgen -G "$folder/*.tar*" >/dev/null && continue 2
    done <<<"$trees"
    printf '%s\n' "$manual"
  done
}

dpkg_leaves_out_files() { grep -qs '^ *path-exclude' /etc/dpkg/dpkg.cfg /etc/dpkg/dpkg.cfg.d/*; }

as_root() {
  if [[ $(id -u) == 0 ]]; then "$@"; else sudo "$@"; fi
}

can_be_root() { # as root, by a sudo that asks nothing, or by one that can ask
  [[ $(id -u) == 0 ]] && return
  command -v sudo >/dev/null || return 1
  sudo -n true 2>/dev/null || [[ -t 0 ]]
}

apt_install() {
  # Container images often drop /usr/share/doc on install; the manuals live there.
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
    -o 'Dpkg::Options::=--path-include=/usr/share/doc/texlive-doc/*' "$@"
}

install_programs() {
  local packages=("${TEX_PACKAGES[@]}" "${OTHER_PACKAGES[@]}") missing
  command -v dpkg-query >/dev/null && mapfile -t missing < <(missing_debian_packages "${packages[@]}") || missing=("${packages[@]}")
  [[ ${#missing[@]} == 0 ]] && return
  [[ -z $(missing_by_function) ]] && return # TeX Live from elsewhere serves as well
  if ! command -v apt-get >/dev/null; then
    say "these are missing: $(missing_by_function | paste -sd' ')"
    say "install TeX Live (with the collections latexextra, pictures, mathscience, luatex, xetex and their documentation),"
    fail "bubblewrap, dvisvgm, latexmk, poppler's tools and Ghostscript, then run this again. Debian names: ${packages[*]}"
  fi
  if ! can_be_root; then
    fail "needs root for: apt-get install --no-install-recommends ${missing[*]}"
  fi
  say "installing ${#missing[@]} Debian packages (a whole TeX Live is about 600 MB and takes some minutes): ${missing[*]}"
  as_root apt-get update -q
  apt_install "${missing[@]}"
}

add_all_manuals() { # the rest of the manuals, to be installed with the programs
  TEX_PACKAGES+=("${MORE_PACKAGES[@]}")
  MANUALS+=("${MORE_MANUALS[@]}")
  TEX_FILES+=(pst-solides3d.sty)
  MANUALS_PACKAGES+=(texlive-latex-base-doc texlive-latex-extra-doc texlive-pstricks-doc)
  [[ -z $(missing_manuals) ]] || TEX_FILES+=("the other manuals") # a file that no TeX has: it counts as missing
}

install_manuals() {
  local missing
  missing="$(missing_manuals)"
  [[ -z $missing ]] && return
  if dpkg_leaves_out_files && [[ -z $(missing_debian_packages "${MANUALS_PACKAGES[@]}") ]] && can_be_root; then
    say "manuals of ${MANUALS_PACKAGES[*]} were left out when these were installed (a dpkg path-exclude): installing them again"
    apt_install --reinstall "${MANUALS_PACKAGES[@]}"
    missing="$(missing_manuals)"
  fi
  [[ -z $missing ]] || say "without these manuals there are fewer diagrams to collect: $(paste -sd' ' <<<"$missing")"
}

# The first document with system fonts would otherwise spend a minute on this list, inside its time limit.
prepare_fonts() {
  command -v luaotfload-tool >/dev/null || return 0
  compgen -G "${XDG_CACHE_HOME:-$HOME/.cache}/diagrammar/texmf-var/luatex-cache/*/names/*" >/dev/null && return
  say "listing this machine's fonts for LuaTeX (once)"
  .venv/bin/python -m diagrammar.tex.fontcache >/dev/null 2>&1 ||
    say "that failed; the first documents that load a system font will be slow"
}

# --- Python ---------------------------------------------------------------------------------------------------------

find_python() {
  local candidate
  for candidate in ${PYTHON:+"$PYTHON"} python3 python3.14 python3.13 python3.12 python3.11 /usr/bin/python3; do
    if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      printf '%s\n' "$candidate"
      return
    fi
  done
  return 1
}

install_python_packages() {
  local stamp=.venv/setup-stamp state python
  # The folder is part of it: the scripts in .venv name it.
  state="$(sha256sum requirements.lock pyproject.toml) $PWD"
  [[ -x .venv/bin/diagrammar && -f $stamp && $(<"$stamp") == "$state" ]] && return
  if ! python="$(find_python)"; then
    command -v apt-get >/dev/null && can_be_root || fail "needs Python 3.11 or later with venv (Debian: python3 python3-venv)"
    say "installing Python"
    as_root apt-get update -q
    apt_install python3 python3-venv
    python="$(find_python)" || fail "needs Python 3.11 or later; set PYTHON=/path/to/python3"
  fi
  say "installing $(grep -c '==' requirements.lock) Python packages into .venv"
  if ! { [[ -f $stamp ]] && [[ $(<"$stamp") == *" $PWD" ]] && .venv/bin/python -m pip --version >/dev/null 2>&1; }; then
    "$python" -m venv --clear .venv
  fi
  .venv/bin/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements.lock
  .venv/bin/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation --editable .
  printf '%s\n' "$state" >"$stamp"
}

case "${1:-}" in
  "") install_programs; install_manuals; install_python_packages; prepare_fonts ;;
  --all-manuals) add_all_manuals; install_programs; install_manuals; install_python_packages; prepare_fonts ;;
  --python) install_python_packages ;;
  *) fail "unknown option $1; see the head of this file" ;;
esac
