/** Checks the graphics that a style refers to, and warns about those that will not be drawn. */
import { redactUrl } from '../../gates/url-gate/plain-url.ts';
import { toPrintableFileName } from '../../lib/text/file-name.ts';
import { listGraphicHrefs } from '../model/references.ts';
import type { StyledLayerDescriptor } from '../model/styled-layer-descriptor.ts';
import { classifyHref, type GraphicReference } from './classify-href.ts';
import { isDataAddress, readDataAddress } from './data-address.ts';
import { findSpriteFiles } from './sprite-address.ts';

export { classifyHref, type GraphicReference } from './classify-href.ts';

/** Lists each reference once, in document order, without fonts, which are not files. */
export function classifyGraphics(model: StyledLayerDescriptor): readonly GraphicReference[] {
  const hrefs = listGraphicHrefs(model).flatMap((href) => {
    const sprite = findSpriteFiles(href);
    return sprite === undefined ? href : [sprite.sheet, sprite.index];
  });
  return [...new Set(hrefs)].map(classifyHref).filter((reference) => reference !== undefined);
}

/** Limits the lookups of hosts and files for a hostile style; real styles refer to a few graphics. */
export const MAX_CHECKED_GRAPHICS = 100;
const maxWarnings = 20;
/** Longer URLs are truncated in messages. */
const maxShownUrlLength = 200;

/**
 * Returns sentences. `exists` receives normalised relative paths only. `urlDecision` returns `allowed` or the reason
 * as the end of a sentence. `references` may be truncated. References outside of the styles folder are never looked
 * up.
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
      if (isDataAddress(href))
        return readDataAddress(href) === undefined
          ? 'A picture in a data: address will not be drawn: it is not an image, or it exceeds the size limit.'
          : undefined;
      const decision = await urlDecision(href);
      return decision === 'allowed'
        ? undefined
        : `The graphic '${redactUrl(href, maxShownUrlLength)}' will not be read: ${decision}.`;
    }
    case 'outside':
      return `The graphic '${toPrintableFileName(href)}' will not be read: ${reference.reason}. Use a relative path within the folder of the style.`;
  }
}
