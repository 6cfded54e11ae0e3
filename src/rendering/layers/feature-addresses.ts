/** Finds the addresses of pictures that depend on features, before the features are painted. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { expandAddress } from '../../styling/graphics/address-template.ts';
import { maxPictures } from '../../styling/legend/images/pictures.ts';
import type { OnlineResource } from '../../styling/model/model.ts';
import { type FeatureBatch, releaseBatch } from '../../vector/port/packed-features.ts';
import { bindFeature, listAttributeNames } from '../rules/bind-style.ts';
import { FeatureCursor } from '../rules/feature-cursor.ts';
import { listPlanRules, type StylePlan } from '../rules/style-plan.ts';

/** Each combination of values is evaluated once; more than this are not examined. */
const MAX_COMBINATIONS = 10_000;

/**
 * Reads the features once more, because pictures are loaded here and features are painted in another thread. Styles
 * without such addresses read nothing.
 */
export async function listFeatureAddresses(
  plan: StylePlan,
  readBatches: () => Promise<AsyncIterable<FeatureBatch>>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const sources: OnlineResource[] = [];
  for (const { symbolizers } of listPlanRules(plan)) collectTemplates(symbolizers, sources);
  if (sources.length === 0) return [];
  const names = listAttributeNames(sources);
  const cursor = new FeatureCursor(plan);
  const seen = new Set<string>();
  const addresses = new Set<string>();
  for await (const batch of await readBatches()) {
    signal.throwIfAborted();
    for (let index = 0; index < batch.count; index += 1) {
      cursor.moveTo(batch, index);
      const key = names.map((name) => `${cursor.getValue(name)}`).join('\n');
      if (seen.has(key) || seen.size >= MAX_COMBINATIONS) continue;
      seen.add(key);
      for (const source of bindFeature(sources, cursor.values())) {
        const address = expandAddress(source);
        if (address !== undefined && addresses.size < maxPictures) addresses.add(address);
      }
    }
    releaseBatch(batch);
    await yieldToEventLoop();
  }
  return [...addresses];
}

function collectTemplates(part: object, sources: OnlineResource[]): void {
  if ('kind' in part && part.kind === 'online' && 'template' in part && part.template !== undefined) {
    sources.push(part as OnlineResource);
    return;
  }
  for (const inner of Object.values(part))
    if (typeof inner === 'object' && inner !== null) collectTemplates(inner, sources);
}
