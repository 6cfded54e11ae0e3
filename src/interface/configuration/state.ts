/** What is told of: everything there is, or what a change under way has written of it. */
import { layerKind } from '../../catalog/layers/layer.ts';
import { templateKind } from '../../catalog/resource-files/template.ts';
import type { Resource } from '../../catalog/resources/resource.ts';
import { resourceKinds } from '../../catalog/resources/resource-kinds.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { unionOf } from '../../records/record.ts';
import type { Services } from '../services.ts';
import type { ConfigurationState } from './kind.ts';
import { type LookUps, lookUpsIn } from './look-ups.ts';

export function wholeState(services: Services): ConfigurationState {
  const { catalog } = services;
  return { services, every: (kind) => catalog.everyOf(kind), ...lookUpsIn(catalog) };
}

/** Of a hundred thousand layers a change writes few: the others are not even listed. */
export function writtenState(services: Services): ConfigurationState {
  const { catalog } = services;
  const { everyWritten: every } = catalog;
  if (every === undefined) {
    throw new Error('Only a draft can tell what it has written');
  }
  const all = lookUpsIn(catalog);
  let found: ReturnType<LookUps['resources']> | undefined;
  return {
    services,
    every,
    ...all,
    resources() {
      found ??= writtenResources(catalog, every, all);
      return found;
    },
  };
}

/** Those that were written, and those of layers that were. */
async function writtenResources(
  catalog: CatalogReader,
  every: CatalogReader['everyOf'],
  all: Pick<LookUps, 'resources'>,
): Promise<ReadonlyMap<string, Resource>> {
  for await (const templates of every(templateKind)) {
    // They stand beside anything.
    if (templates.length > 0) return all.resources();
  }
  const found = new Map<string, Resource>();
  for (const kind of resourceKinds) {
    for await (const piece of every(kind)) {
      for (const resource of piece) found.set(resource.id, resource);
    }
  }
  for await (const layers of every(layerKind)) {
    for (const { parent } of layers) {
      const resource = parent === null || found.has(parent) ? undefined : await catalog.get(anyResource, parent);
      if (resource !== undefined) found.set(resource.id, resource);
    }
  }
  return found;
}

const anyResource = unionOf(resourceKinds);
