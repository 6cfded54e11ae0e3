/** What is to be known of the content of a style beside its bytes: small, whatever the size of the style. */
import { decodeText } from '../../lib/files/decode-text.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import { limitSentences } from '../../lib/text/wording.ts';
import { hasDoctype } from '../../lib/xml/doctype.ts';
import { classifyGraphics, type GraphicReference, MAX_CHECKED_GRAPHICS } from '../graphics/check-graphics.ts';
import { listInlineGraphicFaults } from '../legend/images/inline-graphics.ts';
import { findFirstStyleName, listNamedLayers } from '../model/references.ts';
import { readContent, type StyleContent } from './read-content.ts';
import type { StyleFormat } from './style-format.ts';
import { listUnsupported } from './unsupported-styling.ts';

export interface ContentDescription {
  readonly format: StyleFormat;
  readonly charset: string | null;
  /** What the document calls itself. */
  readonly styleName: string | undefined;
  /** The layers of the server that an SLD over several of them is for; the first of very many. */
  readonly layerNames: readonly string[];
  /** The paths of the graphics in its own folder; not all of them if there are very many. */
  readonly localGraphics: readonly string[];
  /** Whether it draws nothing of its folder but those. */
  readonly knowsGraphics: boolean;
  /** What it refers to, wherever it lies; the first of many. */
  readonly references: readonly GraphicReference[];
  readonly referenceCount: number;
  /** What is not as it should be and was understood nevertheless, and what maps leave out, as sentences; few, however many there are. */
  readonly warnings: readonly string[];
}

/** Each of these is looked for; whoever draws so many layers at once has made their names by a program. */
const MAX_LAYERS = 1_000;

/** More local graphics than this in one style are not told apart any more. */
const MAX_GRAPHICS = 1_000;

export function describeContent({
  format,
  charset,
  model,
  hasNoGraphics = false,
  warnings = [],
}: StyleContent): ContentDescription {
  const references = hasNoGraphics ? [] : classifyGraphics(model);
  const local = references.flatMap((each) => (each.kind === 'local' ? each.path : []));
  return {
    format,
    charset: charset ?? null,
    styleName: findFirstStyleName(model),
    layerNames: format.language === 'sld' ? listNamedLayers(model).slice(0, MAX_LAYERS) : [],
    localGraphics: [...new Set(local.slice(0, MAX_GRAPHICS))],
    knowsGraphics: local.length <= MAX_GRAPHICS && !references.some(({ kind }) => kind === 'dynamic'),
    references: references.slice(0, MAX_CHECKED_GRAPHICS),
    referenceCount: references.length,
    warnings: [...warnings, ...listUnsupported(model), ...listGraphicFaults(model)],
  };
}

function listGraphicFaults(model: StyleContent['model']): readonly string[] {
  const sentences = listInlineGraphicFaults(model).map(
    ({ reason }) => `An SVG graphic in the style is not drawn: ${reason}.`,
  );
  return limitSentences([...new Set(sentences)]);
}

/** Text that is taken as it is; nobody knows what it refers to unless it can be read after all. */
export function describeUnchecked(
  bytes: Uint8Array,
  { language, version, charset }: StyleFormat & { readonly charset?: string | undefined },
): ContentDescription {
  if (hasDoctype(decodeText(bytes, charset, language === 'sld'))) {
    throw problem('xml-doctype', {});
  }
  try {
    const content = readContent(bytes, charset === undefined ? undefined : { language, charset });
    // Who wants no check wants to hear nothing of it either.
    return { ...describeContent(content), warnings: [] };
  } catch (error) {
    if (!(error instanceof Problem)) {
      throw error;
    }
    return {
      format: { language, version },
      charset: charset ?? null,
      styleName: undefined,
      layerNames: [],
      localGraphics: [],
      knowsGraphics: false,
      references: [],
      referenceCount: 0,
      warnings: [],
    };
  }
}
