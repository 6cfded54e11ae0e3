/** From a coverage of the data to one of the catalog, and its layer. */

import { computeGeographicBounds } from '../../crs/geographic-bounds.ts';
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

/** A coverage ready to be put into the catalog. */
export type CoveragePublication = Omit<Coverage, Exclude<keyof RecordBase, 'name'> | 'kind' | 'workspace'>;

/** How what the data leaves open is settled. */
export interface CoverageDefaults {
  /** What data that does not say its reference system is taken to be in; null for nothing. */
  readonly assumedSrs: string | null;
  /** Whether axes of the data beside x and y become dimensions of the coverage, or wait until somebody says so. */
  readonly dimensions: 'from the data' | 'unset';
}

/** What is known of the data beside its description. */
export interface CoverageSource extends CoverageDefaults {
  /** The kind of its store. */
  readonly nativeFormat: string;
}

/** Everything computed from the data, then what the client says over it. */
export async function prepareCoverage(
  described: CoverageDescription,
  { nativeFormat, assumedSrs, dimensions }: CoverageSource,
  draft: CoverageDraft,
  name: string,
): Promise<CoveragePublication> {
  const { nativeCrs, grid, nativeBands, ...native } = readNativeFields(described);
  const isKnown = Object.keys(nativeCrs).length > 0;
  const derived = isKnown ? (nativeCrs.code ?? null) : assumedSrs;
  const srs = draft.srs == null ? derived : await resolveSrs(draft.srs, SRS_FIELD);
  const remarks = {
    ...createResourceFields(draft, name, nativeFormat),
    title: draft.title ?? described.title ?? name,
    description: draft.description ?? `Generated from ${nativeFormat}`,
    keywords: draft.keywords ?? [name, 'WCS', nativeFormat],
    // What the data says is right; what clients are told may be something else.
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
    nativeName: described.name,
    nativeFormat,
    nativeCrs,
    srs,
    nativeBounds,
    latLonBounds: draft.latLonBounds ?? computed ?? null,
    grid,
    nativeBands,
    bands: draft.bands == null ? nativeBands : mergeBands(draft.bands, nativeBands),
  };
  checkDimensions('coverage', publication);
  return publication;
}

/** Every axis of the data beside x and y, as a dimension that map clients can ask for. */
function toDimensionMetadata(axes: CoverageDescription['dimensions']): Metadata {
  return buildDimensionMetadata(axes.map(({ name, kind, unit }): Dimension => ({ name, kind, unit })));
}

/** What the data alone says. */
export function readNativeFields({
  grid,
  bands,
}: CoverageDescription): Pick<Coverage, 'nativeCrs' | 'nativeBounds' | 'grid' | 'nativeBands'> {
  const { width, height, transform = null, bounds = null, crs } = grid;
  return {
    nativeCrs: crs,
    nativeBounds: bounds,
    grid: { width, height, transform },
    nativeBands: toCoverageBands(bands),
  };
}

/** What whoever publishes data should know of it. */
export function collectCoverageWarnings(publication: CoveragePublication): readonly string[] {
  const { nativeName, nativeBounds, srs, nativeCrs } = publication;
  const unknown = srs === null || Object.keys(nativeCrs).length === 0;
  return [
    ...(nativeBounds === null ? [`The data of '${nativeName}' does not say where on the Earth it lies.`] : []),
    ...(unknown && srs === null
      ? [`The data of '${nativeName}' does not say its reference system; set the srs of its coverage.`]
      : []),
    ...(unknown && srs !== null
      ? [`The data of '${nativeName}' does not say its reference system, and is taken to be in ${srs}.`]
      : []),
  ];
}

/** The same publication under another name, where its own is taken. */
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

/** Puts a publication and its layer into the catalog, inside a change that may do more. */
export async function insertCoverage(
  transaction: CatalogTransaction,
  view: CoverageStoreView,
  publication: CoveragePublication,
): Promise<CoverageView> {
  const draft = { ...publication, parent: view.store.id, workspace: view.workspace.id };
  return toCoverageView(await insertResource(transaction, coverageKind, view.workspace, draft), view);
}
