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
  'style-language-not-written': kind(
    406,
    'A style was asked for in a language that is only read here.',
    (d: { from: string; to: string }) =>
      `The style is written in ${d.from}, and no style is translated to ${d.to}. Ask for it as .sld.`,
  ),
  'style-content-mismatch': kind(
    400,
    'What was sent as a style is something else than its Content-Type says.',
    (d: { subject: string; found: string; expected: string; advice: string }) =>
      `${d.subject} ${d.found}, but ${d.expected} was expected. ${d.advice}.`,
  ),
  'style-package-content': kind(
    400,
    'A style package does not hold exactly one SLD.',
    (d: { found: string }) =>
      `A style package holds exactly one file that ends with .sld, and the images it uses; but ${d.found}.`,
  ),
  'style-package-image': kind(
    400,
    'A file in a style package is not the image that its name says, or one that may not be kept.',
    (d: { name: string; reason: string }) => `The image '${d.name}' of the package cannot be kept: ${d.reason}.`,
  ),
} as const;

function capitalised(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
