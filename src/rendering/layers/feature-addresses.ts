/** Finds the addresses of pictures that depend on features, before the features are painted. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isExpression } from '../../filter/model/expression-contents.ts';
import { hasInnerPart } from '../../filter/model/inner-parts.ts';
import { yieldIfDue } from '../../lib/async/yield-if-due.ts';
import { expandAddress } from '../../styling/graphics/address-template.ts';
import { isChartAddress } from '../../styling/graphics/chart-address.ts';
import { maxPictures } from '../../styling/legend/images/pictures.ts';
import type { OnlineResource } from '../../styling/model/model.ts';
import { type FeatureBatch, releaseBatch } from '../../vector/port/packed-features.ts';
import { bindFeature, listAttributeNames, loadStyleFunctions } from '../rules/bind-style.ts';
import { FeatureCursor } from '../rules/feature-cursor.ts';
import { listPlanRules, type StylePlan } from '../rules/style-plan.ts';
import type { AddressTemplates, LayerSurface } from './map-surface.ts';

/**
 * Reads the features once more, because pictures are loaded here and features are painted in another thread. The
 * surface evaluates the addresses: their expressions come from clients. Styles without such addresses read nothing.
 */
export async function listFeatureAddresses(
  surface: Pick<LayerSurface, 'expandAddresses'>,
  plan: StylePlan,
  readBatches: () => Promise<AsyncIterable<FeatureBatch>>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const sources: OnlineResource[] = [];
  for (const { symbolizers } of listPlanRules(plan)) {
    const others = yieldIfDue();
    if (others !== undefined) await others;
    collectTemplates(symbolizers, sources);
  }
  if (sources.length === 0) return [];
  const templates = { sources, values: plan.values, geometries: plan.geometries };
  const addresses = new Set<string>();
  for await (const batch of await readBatches()) {
    signal.throwIfAborted();
    for (const address of await surface.expandAddresses(templates, batch)) addresses.add(address);
    if (addresses.size >= maxPictures) break;
    await yieldToEventLoop();
  }
  return [...addresses].slice(0, maxPictures);
}

/** Returns the different addresses of a batch, and releases the batch. Each combination of values is evaluated once. */
export async function expandBatchAddresses(
  { sources, values, geometries }: AddressTemplates,
  batch: FeatureBatch,
): Promise<readonly string[]> {
  await loadStyleFunctions(sources);
  const names = listAttributeNames(sources);
  const cursor = new FeatureCursor({ values, geometries });
  const seen = new Set<string>();
  const addresses = new Set<string>();
  for (let index = 0; index < batch.count && addresses.size < maxPictures; index += 1) {
    cursor.moveTo(batch, index);
    const key = names.map((name) => `${cursor.getValue(name)}`).join('\n');
    if (seen.has(key)) continue;
    seen.add(key);
    for (const source of bindFeature(sources, cursor.values())) {
      const address = expandAddress(source);
      if (address !== undefined) addresses.add(address);
    }
  }
  releaseBatch(batch);
  return [...addresses];
}

function collectTemplates(part: object, sources: OnlineResource[]): void {
  if (isExpression(part)) return;
  if ('kind' in part && part.kind === 'online' && 'template' in part && part.template !== undefined) {
    const source = part as OnlineResource;
    if (!isChartAddress(source.href)) sources.push(source);
    return;
  }
  hasInnerPart(part, (inner) => {
    collectTemplates(inner, sources);
    return false;
  });
}
