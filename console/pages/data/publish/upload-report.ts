/** The report of an upload, which is the same for a dry run. */
import type { BoundingBox } from '../../../rest/types.ts';

export interface ReportedResource {
  readonly name: string;
  readonly nativeName: string;
  readonly srs?: string;
  readonly outcome: 'published' | 'updated';
  readonly geometryType?: string;
  readonly count?: number;
  readonly latLonBoundingBox?: BoundingBox;
  readonly attributes?: {
    readonly attribute: readonly { readonly name: string; readonly type: string; readonly value?: string }[];
  };
}

interface UploadDocument {
  readonly upload: {
    readonly featureTypes?: { readonly featureType: readonly ReportedResource[] };
    readonly coverages?: { readonly coverage: readonly ReportedResource[] };
    readonly warnings: { readonly string: readonly string[] };
  };
}

export interface UploadReport {
  readonly resources: readonly ReportedResource[];
  readonly warnings: readonly string[];
}

export type { UploadDocument };

export function readReport({ upload }: UploadDocument): UploadReport {
  return {
    resources: upload.featureTypes?.featureType ?? upload.coverages?.coverage ?? [],
    warnings: upload.warnings.string,
  };
}
