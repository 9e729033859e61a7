export type { ErrorBody } from './answers.ts';
export { FaultError } from './errors.ts';
export { exampleOf, examplesOf } from './examples.ts';
export { type ChosenFault, Faults, type ListedRule } from './faults.ts';
export { type InstallFaultsOptions, installFaults } from './install.ts';
export type { ExampleOf, ExampleWish } from './prefer.ts';
export { faultRuleSchema, longestDelayMs } from './rule.ts';
export { parseRule, ruleText } from './rule-text.ts';
export type { Fault, FaultRule } from './types.ts';
