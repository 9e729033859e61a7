import { Argument, Command } from 'commander';
import { say } from './command.ts';
import { completionScripts, type Shell } from './completion-scripts.ts';
import { describeProgram } from './describe-program.ts';

const help = `
Once and for all:
  $ passerelle completion bash > ~/.local/share/bash-completion/completions/passerelle
  $ passerelle completion zsh > "\${fpath[1]}/_passerelle"
  $ passerelle completion fish > ~/.config/fish/completions/passerelle.fish

For this shell only:
  $ source <(passerelle completion bash)`;

export function completionCommand(): Command {
  return new Command('completion')
    .summary('a script that completes commands and options in your shell')
    .description('Prints a script for your shell, which then completes commands and options. It is quick: it starts no program.')
    .addArgument(new Argument('<shell>').choices(Object.keys(completionScripts)))
    .addHelpText('after', help)
    .action((shell: Shell, _options: unknown, command: Command) => {
      const program = command.parent;
      if (program) say(completionScripts[shell](describeProgram(program)));
    });
}
