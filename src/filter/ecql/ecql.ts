/** Public interface of the ECQL module: filters and expressions in text form. */

export { magnitudes, type TokenOptions as EcqlExtensions } from '../text/tokens.ts';
export type { EcqlFilter } from './operand.ts';
export { type EcqlIssue, type EcqlOutcome, readEcqlExpression, readEcqlFilter } from './reader.ts';
export { writeEcqlExpression, writeEcqlFilter } from './writer.ts';
