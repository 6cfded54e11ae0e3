/** ECQL, the text form of filters and expressions, at the edge of its module. */

export type { EcqlFilter } from './ecql/operand.ts';
export { type EcqlIssue, type EcqlOutcome, readEcqlExpression, readEcqlFilter } from './ecql/reader.ts';
export { writeEcqlExpression, writeEcqlFilter } from './ecql/writer.ts';
export { magnitudes, type TokenOptions as EcqlExtensions } from './text/tokens.ts';
