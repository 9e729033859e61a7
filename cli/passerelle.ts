import { runProgram } from './program.ts';
import { withPackages } from './with-packages.ts';

await runProgram(withPackages);
