import { jsonReport as json } from '../../contracts/tools/reports/json.ts';
import { junitReport as junit } from '../../contracts/tools/reports/junit.ts';
import { markdownReport as markdown } from '../../contracts/tools/reports/markdown.ts';
import { type TextOptions, textReport as text } from '../../contracts/tools/reports/text.ts';
import { verificationReport } from '../../contracts/tools/verification/reports/report.ts';
import type { Verification } from '../../contracts/tools/verification/result.ts';

/** The reports of `passerelle verify`. */
export const textReport = (one: Verification, options: TextOptions) => text(verificationReport(one), options);
export const jsonReport = (verifications: readonly Verification[]) => json({ verifications });
export const junitReport = (verifications: readonly Verification[]) => junit(verifications.map(verificationReport));
export const markdownReport = (one: Verification) => markdown(verificationReport(one));
