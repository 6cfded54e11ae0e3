/** Completes resources that were stored without verification with the schema of their data, when they are read. */
import { completeCoverage } from '../../catalog/coverages/unverified-coverage.ts';
import { completeType } from '../../catalog/feature-types/unverified-type.ts';
import { findSqlView } from '../../catalog/feature-types/virtual-table.ts';
import { coverageStoreKind } from '../../catalog/kinds/coverage-store.ts';
import type { Resource } from '../../catalog/kinds/resource.ts';
import type { VectorData } from '../../catalog/stores/vector-data.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { type CoverageServices, isCoverage } from './open-coverage.ts';
import type { MapGroup, MapLayer, MapPart, PublishedMap } from './published-map.ts';
import { createPublishedType, type PublishedType } from './published-type.ts';

export interface CompletionServices {
  readonly catalog: CatalogReader;
  readonly vectorData: VectorData;
  /** Absent for services without coverages. */
  readonly rasterData?: Pick<CoverageServices['rasterData'], 'describe'>;
}

/** Throws the problem of the store if its data is unavailable. */
export async function completePublishedType(
  { vectorData }: Pick<CompletionServices, 'vectorData'>,
  published: PublishedType,
): Promise<PublishedType> {
  const { type, store } = published.records;
  if (type.unverified === undefined) return published;
  const view = findSqlView(type.metadata);
  const described =
    view === undefined
      ? await vectorData.describe({ store }, type.nativeName)
      : await vectorData.describeView({ store }, view);
  if (described === undefined) throw problem('feature-data-missing', {});
  return createPublishedType({ ...published.records, type: completeType(type, described) });
}

/** A description needs no data: what the client has declared is described until the data is available. */
export async function completeOrKeep<T>(current: T, wish: string, complete: () => Promise<T>): Promise<T> {
  if (wish !== 'description') return complete();
  try {
    return await complete();
  } catch (error) {
    if (error instanceof Problem) return current;
    throw error;
  }
}

export async function completeMap(services: CompletionServices, map: PublishedMap): Promise<PublishedMap> {
  if (!hasUnverified(map)) return map;
  return map.kind === 'layer' ? completeLayer(services, map) : completeGroup(services, map);
}

function hasUnverified(map: PublishedMap): boolean {
  return map.kind === 'layer'
    ? map.resource.unverified !== undefined
    : listAllParts(map).some((part) => hasUnverified(part.map));
}

function listAllParts({ parts, root, styles }: MapGroup): readonly MapPart[] {
  return [...parts, ...(root === undefined ? [] : [root]), ...styles.flatMap((style) => style.parts)];
}

async function completeLayer(services: CompletionServices, layer: MapLayer): Promise<MapLayer> {
  if (layer.type !== undefined) {
    const type = await completePublishedType(services, layer.type);
    return { ...layer, type, resource: type.records.type };
  }
  return { ...layer, resource: await completeResource(services, layer.resource) };
}

async function completeResource({ catalog, rasterData }: CompletionServices, resource: Resource): Promise<Resource> {
  if (resource.unverified === undefined || !isCoverage(resource) || rasterData === undefined) return resource;
  const store = await catalog.get(coverageStoreKind, resource.parent ?? '');
  const described = store && (await rasterData.describe({ store }, resource.nativeName));
  if (described === undefined) throw problem('raster-coverage-unknown', { name: resource.nativeName });
  return completeCoverage(resource, described);
}

async function completeGroup(services: CompletionServices, group: MapGroup): Promise<MapGroup> {
  const completeParts = (parts: readonly MapPart[]) =>
    Promise.all(parts.map(async (part) => ({ ...part, map: await completeMap(services, part.map) })));
  const [root] = group.root === undefined ? [] : await completeParts([group.root]);
  const styles = await Promise.all(
    group.styles.map(async (style) => ({ ...style, parts: await completeParts(style.parts) })),
  );
  return { ...group, parts: await completeParts(group.parts), root, styles };
}
