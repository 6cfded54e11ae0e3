/** Reads staged data with its driver, before anything is published. */

import type { GeometryType } from '../../geometry/geometry.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import type { UploadRules } from '../../vector/port/driver.ts';
import type {
  DocumentCopy,
  Feature,
  FeatureTypeDescription,
  TypeSummary,
  Value,
  ValueType,
  VectorSource,
} from '../../vector/port/port.ts';
import { findNativeCrs, type Publication, preparePublication } from '../feature-types/publish-feature-type.ts';
import type { DataStore } from '../kinds/data-store.ts';
import { featureTypeKind } from '../kinds/feature-type.ts';
import { toPublishableName } from '../resources/find-resource.ts';
import type { VectorData } from '../stores/vector-data.ts';
import type { StagedData } from './stage-upload.ts';
import type { UploadRequest } from './upload-request.ts';

/** A type of the data to publish, or an already published one to refresh. */
export interface DescribedType {
  readonly description: FeatureTypeDescription;
  readonly publication: Publication;
  /** Whether to publish it if it is not published yet. */
  readonly isWanted: boolean;
  readonly details?: TypeDetails;
}

/** What a user needs to recognize the data before it is published. */
export interface TypeDetails {
  readonly count: number | undefined;
  readonly geometryType: GeometryType | undefined;
  /** The attributes without geometries, each with its value in the first feature. */
  readonly attributes: readonly SampledAttribute[];
}

export interface SampledAttribute {
  readonly name: string;
  readonly type: ValueType;
  readonly value: Value;
}

export interface DescribedTypes {
  readonly described: readonly DescribedType[];
  /** The names of all types in the data. */
  readonly names: readonly string[];
  /** Warnings about types that could not be described. */
  readonly warnings: readonly string[];
}

export interface DescribedUpload extends DescribedTypes {
  /** Documents outside of the upload, to be stored with it so that every node has them. */
  readonly copies: readonly DocumentCopy[];
}

export async function describeUpload(
  catalog: CatalogReader,
  data: VectorData,
  staged: StagedData,
  how: {
    readonly request: UploadRequest;
    readonly existing: DataStore | undefined;
    readonly charset: string | undefined;
    readonly principal: Principal;
  },
): Promise<DescribedUpload> {
  const { request, existing, charset, principal } = how;
  const { uploads } = request.driver;
  const parameters = uploads.createParameters(staged.path, { charset });
  const known = existing === undefined ? [] : await catalog.list(featureTypeKind, existing.id);
  const refreshed = new Set(known.map(({ nativeName }) => nativeName));
  const place = { path: staged.path, root: staged.root, principal };
  return data.useStaged(parameters, place, async (source, signal, deadline) => {
    const types = await source.listTypes(signal);
    checkHasTypes(types, uploads);
    deadline.extend();
    const warnings = (await source.checkReferences?.(signal)) ?? [];
    const wanted = selectTypes(types, request);
    const described: DescribedType[] = [];
    for (const type of types) {
      const { name } = type;
      const isWanted = wanted.has(type);
      if (isWanted || refreshed.has(name)) {
        deadline.extend();
        const description = await source.describe(name, signal);
        if (description !== undefined) {
          const publication = await prepareUploaded(description, request);
          const details = request.hasDetails ? await readDetails(source, description, signal) : undefined;
          described.push({ description, publication, isWanted, ...(details === undefined ? {} : { details }) });
        }
      }
    }
    const copies = staged.root === undefined ? [] : await source.schemas?.collectCopies(signal);
    return { described, names: types.map(({ name }) => name), warnings, copies: copies ?? [] };
  });
}

/** The stated reference system applies only where the data has no code of its own. */
export function prepareUploaded(
  description: FeatureTypeDescription,
  { srs }: Pick<UploadRequest, 'srs'>,
): Promise<Publication> {
  const isMissing = description.defaultGeometry !== undefined && findNativeCrs(description).code === undefined;
  return preparePublication(description, isMissing && srs !== null ? { srs } : {}, toPublishableName(description.name));
}

async function readDetails(
  source: VectorSource,
  description: FeatureTypeDescription,
  signal: AbortSignal,
): Promise<TypeDetails> {
  const { name } = description;
  let first: Feature | undefined;
  for await (const batch of source.read(name, { limit: 1 }, signal)) first ??= batch[0];
  const count = description.count ?? (await source.count?.(name, undefined, signal));
  return { ...summarizeType(description, first), count };
}

/** Returns the details that a description contains, with the values of a feature. */
export function summarizeType(
  { attributes, defaultGeometry, count }: FeatureTypeDescription,
  first?: Feature | undefined,
): TypeDetails {
  const geometry = attributes.find(({ name }) => name === defaultGeometry);
  return {
    count,
    geometryType: geometry?.kind === 'geometry' ? geometry.type : undefined,
    attributes: attributes.flatMap(({ kind, name, type }, index) =>
      // Values of attributes that are no geometries are no geometries.
      kind === 'value' ? [{ name, type, value: (first?.values[index] ?? null) as Value }] : [],
    ),
  };
}

/** For a single type, prefers those of the main file over those of included files. */
function selectTypes(
  types: readonly TypeSummary[],
  { configure, publishesIncluded }: UploadRequest,
): ReadonlySet<TypeSummary> {
  const main = types.filter(({ isIncluded }) => isIncluded !== true);
  switch (configure) {
    case 'none':
      return new Set();
    case 'all':
      return new Set(publishesIncluded ? types : main);
    case 'first':
      return new Set([...main, ...(publishesIncluded ? types : [])].slice(0, 1));
  }
}

/** Rejects a folder without types, which is most likely the wrong one. */
export function checkHasTypes(types: readonly TypeSummary[], { format, mayBeEmpty }: UploadRules): void {
  if (types.length === 0 && !mayBeEmpty) {
    throw problem('upload-without-data', { format, reason: `no file has the extension .${format}` });
  }
}
