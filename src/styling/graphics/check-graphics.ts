/** Looks at the pictures a style refers to, and warns of those that will not be drawn. */
import { redactUrl } from '../../gates/url-gate/plain-url.ts';
import { toPrintableFileName } from '../../lib/text/file-name.ts';
import { listGraphicHrefs } from '../model/references.ts';
import type { StyledLayerDescriptor } from '../model/styled-layer-descriptor.ts';
import { classifyHref, type GraphicReference } from './classify-href.ts';

export { classifyHref, type GraphicReference } from './classify-href.ts';

/** Each reference once, in the order of the document; fonts, which are no files, left out. */
export function classifyGraphics(model: StyledLayerDescriptor): readonly GraphicReference[] {
  return listGraphicHrefs(model)
    .map(classifyHref)
    .filter((reference) => reference !== undefined);
}

/** A style refers to a few; a hostile one must not make us look for hosts and files without end. */
export const MAX_CHECKED_GRAPHICS = 100;
const maxWarnings = 20;
/** A longer URL is shown by its beginning. */
const maxShownUrlLength = 200;

/**
 * Sentences for people. `exists` gets normalised relative paths only; `urlDecision` says `allowed` or why not, as the
 * end of a sentence; of very many references only the first need be given. References outside the styles folder are never looked for.
 */
export async function listGraphicWarnings(
  references: readonly GraphicReference[],
  exists: (path: string) => Promise<boolean>,
  urlDecision: (url: string) => Promise<string>,
  referenceCount = references.length,
): Promise<readonly string[]> {
  const warnings: string[] = [];
  for (const reference of references.slice(0, MAX_CHECKED_GRAPHICS)) {
    const warning = await findGraphicWarning(reference, exists, urlDecision);
    if (warning !== undefined) warnings.push(warning);
  }
  const left = warnings.length - maxWarnings;
  const unchecked = referenceCount - MAX_CHECKED_GRAPHICS;
  return [
    ...warnings.slice(0, maxWarnings),
    ...(left > 0 ? [`${left} more ${left === 1 ? 'graphic' : 'graphics'} will not be drawn for similar reasons.`] : []),
    ...(unchecked > 0
      ? [
          `The style refers to ${unchecked} more ${unchecked === 1 ? 'graphic that was' : 'graphics that were'} not checked.`,
        ]
      : []),
  ];
}

async function findGraphicWarning(
  reference: GraphicReference,
  exists: (path: string) => Promise<boolean>,
  urlDecision: (url: string) => Promise<string>,
): Promise<string | undefined> {
  const { href } = reference;
  switch (reference.kind) {
    case 'dynamic':
      return undefined;
    case 'local':
      return (await exists(reference.path))
        ? undefined
        : `The graphic '${toPrintableFileName(href)}' does not exist. Send it with the style in a ZIP package.`;
    case 'remote': {
      const decision = await urlDecision(href);
      return decision === 'allowed'
        ? undefined
        : `The graphic '${redactUrl(href, maxShownUrlLength)}' will not be read: ${decision}.`;
    }
    case 'outside':
      return `The graphic '${toPrintableFileName(href)}' will not be read: ${reference.reason}. Use a relative path within the folder of the style.`;
  }
}
