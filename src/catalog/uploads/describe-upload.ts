/** Looks at staged data with its driver, before anything of it is published. */
import type { UploadRules } from '../../data/vector/driver.ts';
import type { FeatureTypeDescription, TypeSummary } from '../../data/vector/port.ts';
import { problem } from '../../lib/problem.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { featureTypeKind } from '../feature-types/feature-type.ts';
import { type Publication, preparePublication } from '../feature-types/publish-feature-type.ts';
import { publishableName } from '../resources/find-resource.ts';
import type { DataStore } from '../stores/data-store.ts';
import type { VectorData } from '../stores/vector-data.ts';
import type { StagedData } from './stage-upload.ts';
import type { UploadRequest } from './upload-request.ts';

/** A type of the data that is to be published, or that is published already and has to be refreshed. */
export interface DescribedType {
  readonly description: FeatureTypeDescription;
  readonly publication: Publication;
  /** Whether it is to be published if it is not. */
  readonly isWanted: boolean;
}

export interface DescribedUpload {
  readonly described: readonly DescribedType[];
  /** The names of all types in the data. */
  readonly names: readonly string[];
}

export async function describeUpload(
  catalog: CatalogReader,
  data: VectorData,
  staged: StagedData,
  request: UploadRequest,
  { existing, charset }: { readonly existing: DataStore | undefined; readonly charset: string | undefined },
): Promise<DescribedUpload> {
  const { uploads } = request.driver;
  const parameters = uploads.parametersFor(staged.path, { charset });
  const paths = new Map([[staged.path, staged.path]]);
  const types = await data.useStaged(parameters, paths, (source, signal) => source.listTypes(signal));
  refuseNothing(types, uploads);
  const known = existing === undefined ? [] : await catalog.list(featureTypeKind, existing.id);
  const refreshed = new Set(known.map(({ nativeName }) => nativeName));
  const described: DescribedType[] = [];
  for (const [index, { name }] of types.entries()) {
    const isWanted = request.configure === 'all' || (request.configure === 'first' && index === 0);
    if (isWanted || refreshed.has(name)) {
      const description = await data.useStaged(parameters, paths, (source, signal) => source.describe(name, signal));
      if (description !== undefined) {
        const publication = await preparePublication(description, {}, publishableName(name));
        described.push({ description, publication, isWanted });
      }
    }
  }
  return { described, names: types.map(({ name }) => name) };
}

/** A folder in which there is nothing is most likely the wrong one. */
export function refuseNothing(types: readonly TypeSummary[], { format, mayBeEmpty }: UploadRules): void {
  if (types.length === 0 && !mayBeEmpty) {
    throw problem('upload-without-data', { format, reason: `there is no file that ends with .${format}` });
  }
}
