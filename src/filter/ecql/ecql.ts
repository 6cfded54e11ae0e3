/** ECQL, the text form of filters and expressions, at the edge of its module. */

export { magnitudes, type TokenOptions as EcqlExtensions } from '../text/tokens.ts';
export type { EcqlFilter } from './operand.ts';
export { type EcqlIssue, type EcqlOutcome, readEcqlExpression, readEcqlFilter } from './reader.ts';
export { writeEcqlExpression, writeEcqlFilter } from './writer.ts';
