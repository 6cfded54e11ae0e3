/** Checks a text without storing it: a dry run reports all errors and warnings, and returns the style as SLD. */
import { callService } from '../../../rest/client.ts';
import { RestProblem } from '../../../rest/problems.ts';
import { getMediaType, SE, SLD, type StyleFormat } from '../../../style-text/languages.ts';
import { listStyleErrors, listStyleWarnings, type StyleProblem } from '../../../style-text/problems.ts';
import { getRestPath, type StylePlace } from '../style-documents.ts';

export interface CheckedStyle {
  readonly problems: readonly StyleProblem[];
  /** Undefined for an invalid style. */
  readonly sld: string | undefined;
}

const NOT_CONVERTIBLE = 406;
const INVALID = 400;
/** Checks that need too much work; the text is not invalid. */
const TOO_LARGE = 413;

export async function checkStyle(
  place: StylePlace,
  format: StyleFormat,
  text: string,
  signal: AbortSignal,
): Promise<CheckedStyle> {
  const isSld = format.language === 'sld';
  const send = (accept: string) =>
    callService(`rest${getRestPath(place)}?dryRun=true`, {
      method: 'PUT',
      body: text,
      contentType: getMediaType(format),
      accept,
      headers: isSld ? {} : { prefer: 'return=representation' },
      signal,
    });
  try {
    const reply = await send(SLD).catch((error: unknown) => {
      // Only the newer version of SLD has some parts.
      if (error instanceof RestProblem && error.status === NOT_CONVERTIBLE) return send(SE);
      throw error;
    });
    const warnings = listStyleWarnings(reply.headers.get('warning'));
    return { problems: warnings, sld: isSld ? text : await reply.text() };
  } catch (error) {
    if (error instanceof RestProblem && (error.status === INVALID || error.status === TOO_LARGE)) {
      return { problems: listStyleErrors(error), sld: undefined };
    }
    throw error;
  }
}
