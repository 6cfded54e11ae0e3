/** The dependencies of style operations, and the operations that accept a request body. */

import type { ConcurrencyLimiter } from '../../lib/async/concurrency-limiter.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import type { Catalog } from '../../records/catalog.ts';
import type { MissingGlyphLog } from '../../styling/fonts/missing-glyphs.ts';
import type { TemplateProcessor } from '../../styling/templates/template-processor.ts';
import { changeStyleContent } from './change-style.ts';
import { createStyleFromContent } from './create-style.ts';
import type { StyleDrawContext } from './draw-style.ts';
import { type ContentReadContext, type ContentReadOptions, type SentBody, withSentContent } from './sent-content.ts';
import { storeContent } from './store-content.ts';
import { findStyle, type StyleLocator, type StyleView } from './style-view.ts';
import { collectStyleWarnings } from './style-warnings.ts';
import { checkStyledLayers, type StyledLayerOptions } from './styled-layers.ts';

export interface StyleServices extends ContentReadContext, StyleDrawContext {
  /** Limits concurrent work that needs much memory. */
  readonly render: ConcurrencyLimiter;
  readonly templates: TemplateProcessor;
  /** Characters of labels that no font has, for the report of the doctor. */
  readonly missingGlyphs: MissingGlyphLog;
}

export interface StyleContentResult {
  readonly view: StyleView;
  readonly warnings: readonly string[];
}

export interface StyleCreation extends ContentReadOptions {
  readonly body: SentBody;
  readonly workspace?: string;
  readonly name: string | null;
  readonly layers: StyledLayerOptions;
}

/** Creates a style from the body of a request. */
export function createStyleFromBody(
  catalog: Catalog,
  services: StyleServices,
  principal: Principal,
  options: StyleCreation,
): Promise<StyleContentResult> {
  const { body } = options;
  return withSentContent(services, body, options, async (sent) => {
    const aboutLayers =
      options.raw || sent.unverified !== undefined
        ? []
        : await checkStyledLayers(catalog, options.workspace, sent, options.layers);
    const { view, warnings } = await createStyleFromContent(catalog, principal, options.workspace, {
      content: sent,
      ...services,
      name: options.name,
    });
    const aboutContent = await collectStyleWarnings(catalog, services.urlGate, view, sent);
    return { view, warnings: [...warnings, ...aboutLayers, ...aboutContent] };
  });
}

export interface StyleContentChange extends ContentReadOptions {
  readonly body: SentBody;
  readonly place: StyleLocator;
  readonly precondition: Precondition;
  readonly layers: StyledLayerOptions;
}

/** Replaces the content of a style by the body of a request. */
export async function changeStyleFromBody(
  catalog: Catalog,
  services: StyleServices,
  principal: Principal,
  options: StyleContentChange,
): Promise<StyleContentResult> {
  const { body, place, precondition } = options;
  // Check before reading the body: an unknown style is reported regardless of the body.
  checkPrecondition(precondition, (await findStyle(catalog, place)).version);
  return withSentContent(services, body, options, async (sent) => {
    const aboutLayers =
      options.raw || sent.unverified !== undefined
        ? []
        : await checkStyledLayers(catalog, place.workspace, sent, options.layers);
    const { view, warnings } = await services.files.runFileOperation(async (keeper) => {
      const kept = await storeContent(keeper, sent);
      return changeStyleContent(catalog, principal, place, { content: kept, precondition });
    });
    const aboutContent = await collectStyleWarnings(catalog, services.urlGate, view, sent);
    return { view, warnings: [...warnings, ...aboutLayers, ...aboutContent] };
  });
}
