/** Describes the content of a style. The description is small, independent of the size of the style. */
import { Problem } from '../../lib/problems/problem.ts';
import { limitSentences } from '../../lib/text/wording.ts';
import { expandInternalEntities } from '../../lib/xml/internal-entities.ts';
import { classifyGraphics, type GraphicReference, MAX_CHECKED_GRAPHICS } from '../graphics/check-graphics.ts';
import { formatAddressPattern } from '../graphics/classify-href.ts';
import { listInlineGraphicFaults } from '../legend/images/inline-graphics.ts';
import { findFirstStyleName, listNamedLayers } from '../model/references.ts';
import { decodeStyle } from './decode-style.ts';
import { readContent, type StyleContent } from './read-content.ts';
import type { StyleFormat } from './style-format.ts';
import { listUnsupported } from './unsupported-styling.ts';

export interface ContentDescription {
  readonly format: StyleFormat;
  readonly charset: string | null;
  /** The name in the document. */
  readonly styleName: string | undefined;
  /** The server layers that an SLD with several layers names, up to a limit. */
  readonly layerNames: readonly string[];
  /** The paths of the graphics in the folder of the style, up to a limit; `icons/*.svg` for `icons/${kind}.svg`. */
  readonly localGraphics: readonly string[];
  /** Whether `localGraphics` is complete. */
  readonly knowsGraphics: boolean;
  /** The graphics it refers to at any location, up to a limit. */
  readonly references: readonly GraphicReference[];
  readonly referenceCount: number;
  /** Warnings about deviations that were tolerated and about features that maps do not support, up to a limit. */
  readonly warnings: readonly string[];
}

/** Each layer is looked up. A style with more layers is generated, so the rest is ignored. */
const MAX_LAYERS = 1_000;

/** More local graphics than this are not tracked individually. */
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
  const patterns = references.flatMap(({ kind, href }) =>
    kind === 'dynamic' ? (formatAddressPattern(href) ?? []) : [],
  );
  return {
    format,
    charset: charset ?? null,
    styleName: findFirstStyleName(model),
    layerNames: format.language === 'sld' ? listNamedLayers(model).slice(0, MAX_LAYERS) : [],
    localGraphics: [...new Set([...patterns, ...local].slice(0, MAX_GRAPHICS))],
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

/** Describes text that is stored without a check. References are known only if the text is readable. */
export function describeUnchecked(
  bytes: Uint8Array,
  { language, version, charset }: StyleFormat & { readonly charset?: string | undefined },
): ContentDescription {
  const { text } = decodeStyle(bytes, { charset, isXml: language === 'sld', strict: false });
  // Documents are never stored with declarations that could be dangerous for other readers.
  expandInternalEntities(text);
  try {
    const content = readContent(bytes, charset === undefined ? undefined : { language, charset });
    // The client has disabled the check, so it gets no warnings.
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
