/** What can go wrong with styles. */
import type { CommonDetails } from '../problem.ts';
import { kind } from './kind.ts';

export const styleProblems = {
  'style-invalid': kind(
    400,
    'A style document is well-formed, but not a valid style; every error is listed with its place.',
    (d: { language: string; count: number } & CommonDetails) => {
      const complaints = (d.complaints ?? []).map((each) => each.message).join('; ');
      const more = d.count - (d.complaints?.length ?? 0);
      return `The style is not valid ${d.language}. ${capitalised(complaints)}${more > 0 ? `; and ${more} more` : ''}.`;
    },
  ),
  'style-not-convertible': kind(
    406,
    'A style was asked for in another language or version that cannot say all that it says.',
    (d: { version: string } & CommonDetails) =>
      `The style cannot be written as SLD ${d.version} without loss: ${(d.complaints ?? []).map((each) => `${each.field}: ${each.message}`).join('; ')}.`,
  ),
} as const;

function capitalised(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
