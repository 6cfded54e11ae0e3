/** Creates a catalog coverage and its layer from a coverage of the data. */

import { computeGeographicBounds } from '../../crs/geographic-bounds.ts';
import type { DataAttribution } from '../../lib/tile-archive/data-attribution.ts';
import type { CoverageDescription } from '../../raster/port/port.ts';
import type { CatalogReader, CatalogTransaction } from '../../records/catalog.ts';
import type { RecordBase } from '../../records/record.ts';
import type { CoverageStoreView } from '../coverage-stores/coverage-stores.ts';
import {
  type Coverage,
  type CoverageDraft,
  coverageKind,
  createInitialSettings,
  SRS_FIELD,
} from '../kinds/coverage.ts';
import { getBoundsCrs, type Metadata } from '../kinds/resource.ts';
import { createResourceFields, mergeSettings, resolveSrs } from '../kinds/resource-draft.ts';
import { buildDimensionMetadata, checkDimensions, type Dimension } from '../resources/dimensions.ts';
import { findFreeResourceName } from '../resources/find-resource.ts';
import { insertResource } from '../resources/write-resource.ts';
import { type CoverageView, toCoverageView } from './coverage-view.ts';
import { mergeBands, toCoverageBands } from './published-bands.ts';

/** A coverage that is ready for insertion. */
export type CoveragePublication = Omit<Coverage, Exclude<keyof RecordBase, 'name'> | 'kind' | 'workspace'> & {
  /** What the data states for the layer. */
  readonly attribution?: DataAttribution | undefined;
};

/** Defaults for properties that the data does not define. */
export interface CoverageDefaults {
  /** The reference system for data that declares none; null for no default. */
  readonly assumedSrs: string | null;
  /** Whether axes of the data other than x and y become dimensions of the coverage, or stay unset. */
  readonly dimensions: 'from the data' | 'unset';
}

/** Properties of the data beyond its description. */
export interface CoverageSource extends CoverageDefaults {
  /** The type of its store. */
  readonly nativeFormat: string;
}

/** Computes all fields from the data, then applies those of the client. */
export async function prepareCoverage(
  described: CoverageDescription,
  { nativeFormat, assumedSrs, dimensions }: CoverageSource,
  draft: CoverageDraft,
  name: string,
): Promise<CoveragePublication> {
  const { nativeCrs, grid, nativeBands, tileZooms, ...native } = readNativeFields(described);
  const isKnown = Object.keys(nativeCrs).length > 0;
  const derived = isKnown ? (nativeCrs.code ?? null) : assumedSrs;
  const srs = draft.srs == null ? derived : await resolveSrs(draft.srs, SRS_FIELD);
  const remarks = {
    ...createResourceFields(draft, name, nativeFormat),
    title: draft.title ?? described.title ?? name,
    description: draft.description ?? described.description ?? `Generated from ${nativeFormat}`,
    keywords: draft.keywords ?? [name, 'WCS', nativeFormat],
    // A reference system that the data declares is reliable, so a different published one requires reprojection.
    projectionPolicy: draft.projectionPolicy ?? (isKnown ? 'REPROJECT_TO_DECLARED' : 'FORCE_DECLARED'),
    metadata: { ...(dimensions === 'unset' ? {} : toDimensionMetadata(described.dimensions)), ...draft.metadata },
  } as const;
  const nativeBounds = draft.nativeBounds ?? native.nativeBounds;
  const crs = getBoundsCrs({ srs, nativeCrs, projectionPolicy: remarks.projectionPolicy });
  const computed = nativeBounds === null ? undefined : await computeGeographicBounds(nativeBounds, crs);
  const initial = createInitialSettings(nativeFormat, srs);
  const publication: CoveragePublication = {
    ...mergeSettings(draft, initial, initial),
    ...remarks,
    name,
    attribution: described.attribution,
    nativeName: described.name,
    nativeFormat,
    nativeCrs,
    srs,
    nativeBounds,
    latLonBounds: draft.latLonBounds ?? computed ?? null,
    grid,
    tileZooms,
    nativeBands,
    bands: draft.bands == null ? nativeBands : mergeBands(draft.bands, nativeBands),
  };
  checkDimensions('coverage', publication);
  return publication;
}

/** Returns every axis of the data other than x and y as a dimension for map clients. */
function toDimensionMetadata(axes: CoverageDescription['dimensions']): Metadata {
  return buildDimensionMetadata(axes.map(({ name, kind, unit }): Dimension => ({ name, kind, unit })));
}

/** Returns the fields that depend only on the data. */
export function readNativeFields({
  grid,
  bands,
  tileZooms,
}: CoverageDescription): Pick<Coverage, 'nativeCrs' | 'nativeBounds' | 'grid' | 'tileZooms' | 'nativeBands'> {
  const { width, height, transform = null, bounds = null, crs } = grid;
  return {
    nativeCrs: crs,
    nativeBounds: bounds,
    grid: { width, height, transform },
    tileZooms,
    nativeBands: toCoverageBands(bands),
  };
}

/** Returns the warnings for a client that publishes the data. */
export function collectCoverageWarnings(publication: CoveragePublication): readonly string[] {
  const { nativeName, nativeBounds, srs, nativeCrs } = publication;
  const unknown = srs === null || Object.keys(nativeCrs).length === 0;
  return [
    ...(nativeBounds === null ? [`The data of '${nativeName}' has no georeference.`] : []),
    ...(unknown && srs === null
      ? [`The data of '${nativeName}' declares no reference system. Set the srs of its coverage.`]
      : []),
    ...(unknown && srs !== null
      ? [`The data of '${nativeName}' declares no reference system. ${srs} is assumed.`]
      : []),
  ];
}

/** Returns the publication under a free name, if its own is taken. */
export async function assignFreeCoverageName(
  catalog: CatalogReader,
  workspaceId: string,
  publication: CoveragePublication,
): Promise<CoveragePublication> {
  const name = await findFreeResourceName(catalog, workspaceId, publication.name);
  return {
    ...publication,
    name,
    title: publication.title === publication.name ? name : publication.title,
    keywords: publication.keywords.map((word) => (word === publication.name ? name : word)),
  };
}

/** Inserts a publication and its layer within a transaction. */
export async function insertCoverage(
  transaction: CatalogTransaction,
  view: CoverageStoreView,
  { attribution, ...publication }: CoveragePublication,
): Promise<CoverageView> {
  const draft = { ...publication, parent: view.store.id, workspace: view.workspace.id };
  return toCoverageView(await insertResource(transaction, coverageKind, view.workspace, { draft, attribution }), view);
}
