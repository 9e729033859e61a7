import type { Described, DescribedOption, Values } from './describe-program.ts';

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
const functionOf = (program: string) => `_${program.replaceAll(/\W/g, '_')}`;
const nameOf = ([program]: readonly Described[]) => program?.path ?? '';
/** A description is one line in which nothing means something to a shell's menu. */
const short = (text: string) =>
  text
    .replaceAll(/[\s:[\]]+/g, ' ')
    .trim()
    .slice(0, 70);

const takingValues = ({ options }: Described) => options.filter(({ values }) => values !== null);
const wordsOf = ({ commands, options, values }: Described) => [
  ...commands.map(({ name }) => name),
  ...values.words,
  ...options.flatMap(({ names }) => names),
];

/** The loop that finds out in which command the cursor is, for shells that read like bash. */
const commandCases = (described: readonly Described[]) =>
  described
    .flatMap(({ path, commands }) => commands.map(({ name }) => `      ${quoted(`${path} ${name}`)}) path="$path $word" ;;`))
    .join('\n');

/** Words a line each: bash splits by newlines only, so that names of files may hold spaces. */
const bashWords = (words: readonly string[]) => `$'${words.join('\\n')}'`;

const bashValues = ({ words, files }: Values) => {
  if (words.length > 0) return `COMPREPLY=($(compgen -W ${bashWords(words)} -- "$current"))`;
  return files ? 'COMPREPLY=($(compgen -f -- "$current"))' : ':';
};

const bashOption = (path: string, { names, values }: DescribedOption) =>
  `    ${names.map((name) => quoted(`${path} ${name}`)).join('|')}) ${values ? bashValues(values) : ':'}; return ;;`;

const bashCommand = (described: Described) => {
  const files = described.values.files ? ' $(compgen -f -- "$current")' : '';
  return `    ${quoted(described.path)}) COMPREPLY=($(compgen -W ${bashWords(wordsOf(described))} -- "$current")${files}) ;;`;
};

/** For bash 3.2 and newer, which macOS has. */
function bash(described: readonly Described[]): string {
  const program = nameOf(described);
  return `# Completion of ${program} for bash: source it, or keep it in bash-completion's folder.
${functionOf(program)}() {
  local IFS=$'\\n' current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" path=${quoted(program)} word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in
${commandCases(described)}
    esac
  done
  COMPREPLY=()
  case "$path $before" in
${described.flatMap((one) => takingValues(one).map((option) => bashOption(one.path, option))).join('\n')}
  esac
  case "$path" in
${described.map(bashCommand).join('\n')}
  esac
}
complete -o filenames -F ${functionOf(program)} ${program}`;
}

const zshItem = (name: string, summary: string) => quoted(`${name.replaceAll(':', '\\:')}:${short(summary)}`);

const zshValues = ({ words, files }: Values) => {
  if (words.length > 0) return `compadd -- ${words.map(quoted).join(' ')}`;
  return files ? '_files' : ':';
};

function zshCommand(described: Described): string {
  const { path, commands, options, values } = described;
  const commandItems = commands.map(({ name, summary }) => zshItem(name, summary));
  const optionItems = options.flatMap(({ names, summary }) => names.map((name) => zshItem(name, summary)));
  const parts = [
    // zsh offers what is described with -o only where the word begins with a hyphen.
    ...(commandItems.length > 0 ? [`items=(${commandItems.join(' ')}); _describe ${quoted(path)} items`] : []),
    `items=(${optionItems.join(' ')}); _describe -o ${quoted(path)} items`,
    ...(values.words.length > 0 || values.files ? [zshValues(values)] : []),
  ];
  return `    ${quoted(path)}) ${parts.join('; ')} ;;`;
}

function zsh(described: readonly Described[]): string {
  const program = nameOf(described);
  const options = described.flatMap((one) =>
    takingValues(one).map(
      ({ names, values }) =>
        `    ${names.map((name) => quoted(`${one.path} ${name}`)).join('|')}) ${values ? zshValues(values) : ':'}; return ;;`,
    ),
  );
  return `#compdef ${program}
# Completion of ${program} for zsh: keep it as _${program} in a folder of $fpath, or source it after compinit.
${functionOf(program)}() {
  local path=${quoted(program)} word
  local -a items
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$path $word" in
${commandCases(described)}
    esac
  done
  case "$path \${words[CURRENT-1]}" in
${options.join('\n')}
  esac
  case "$path" in
${described.map(zshCommand).join('\n')}
  esac
}
if [ "$funcstack[1]" = ${quoted(functionOf(program))} ]; then ${functionOf(program)} "$@"; else compdef ${functionOf(program)} ${program}; fi`;
}

const fishFunction = (program: string, described: readonly Described[]) => `function __fish_${program}_path
  set -l path ${quoted(program)}
  for word in (commandline -opc)[2..-1]
    switch "$path $word"
${described.flatMap(({ path, commands }) => commands.map(({ name }) => `      case ${quoted(`${path} ${name}`)}\n        set path "$path $word"`)).join('\n')}
    end
  end
  echo $path
end`;

function fishOption(start: string, { names, summary, values }: DescribedOption): string {
  const flags = names.map((name) => (name.startsWith('--') ? `-l ${quoted(name.slice(2))}` : `-s ${quoted(name.slice(1))}`));
  const takes =
    values === null
      ? ''
      : values.files
        ? ' -r -F'
        : ` -x${values.words.length > 0 ? ` -a ${quoted(values.words.join(' '))}` : ''}`;
  return `${start} ${flags.join(' ')}${takes} -d ${quoted(short(summary))}`;
}

function fish(described: readonly Described[]): string {
  const program = nameOf(described);
  const lines = described.flatMap(({ path, commands, options, values }) => {
    const start = `complete -c ${program} -n 'test (__fish_${program}_path) = "${path}"'`;
    return [
      ...commands.map(({ name, summary }) => `${start} -f -a ${quoted(name)} -d ${quoted(short(summary))}`),
      ...(values.words.length > 0 ? [`${start} -f -a ${quoted(values.words.join(' '))}`] : []),
      ...(values.files ? [`${start} -F`] : []),
      ...options.map((option) => fishOption(start, option)),
    ];
  });
  return `# Completion of ${program} for fish: keep it in ~/.config/fish/completions.
${fishFunction(program, described)}
complete -c ${program} -f
${lines.join('\n')}`;
}

/** The script of each shell for a program that `describeProgram` described. */
export const completionScripts = { bash, zsh, fish };
export type Shell = keyof typeof completionScripts;
