/** The report of a comparison, `graticule-compare-report/1`. */

export const REPORT_FORMAT = 'graticule-compare-report/1';

export const checkNames = ['capabilities', 'schema', 'count', 'sample', 'map', 'info'] as const;

export type CheckName = (typeof checkNames)[number];

export const serviceNames = ['WMS', 'WFS', 'WCS', 'WMTS'] as const;

export type ServiceName = (typeof serviceNames)[number];

/** Stable; new ones may be added. `both-failed` is not a difference. */
export type DetailCode =
  | 'layer-missing'
  | 'layer-extra'
  | 'title-differs'
  | 'style-differs'
  | 'crs-differs'
  | 'box-differs'
  | 'format-missing'
  | 'property-missing'
  | 'property-extra'
  | 'type-differs'
  | 'order-differs'
  | 'count-differs'
  | 'value-differs'
  | 'map-differs'
  | 'map-empty'
  | 'info-differs'
  | 'old-failed'
  | 'new-failed'
  | 'both-failed';

export interface Detail {
  readonly check: CheckName;
  readonly code: DetailCode;
  readonly service?: ServiceName;
  readonly message: string;
}

export type CheckStatus = 'equal' | 'different' | 'both-failed' | 'skipped';

/** The pictures of one area of a layer, relative to the report; a server that failed has none. */
export interface ComparedPictures {
  readonly area: MapArea;
  readonly old?: string;
  readonly new?: string;
  readonly difference?: string;
}

/** The whole box of a layer, or the quarter in its centre. */
export type MapArea = 'whole' | 'inner';

export interface ComparedLayer {
  readonly name: string;
  readonly status: CheckStatus;
  readonly checks: Readonly<Record<CheckName, CheckStatus>>;
  readonly details: readonly Detail[];
  readonly pictures?: readonly ComparedPictures[];
}

/** What the capabilities of a service say about no single layer. */
export interface ComparedService {
  readonly name: ServiceName;
  readonly status: CheckStatus;
  readonly details: readonly Detail[];
}

export interface ComparisonReport {
  readonly format: typeof REPORT_FORMAT;
  readonly old: string;
  readonly new: string;
  readonly checks: readonly CheckName[];
  /** Percent of the drawn pixels. */
  readonly tolerance: number;
  readonly services: readonly ComparedService[];
  readonly layers: readonly ComparedLayer[];
  readonly summary: ReportSummary;
}

export interface ReportSummary {
  readonly layers: number;
  readonly equal: number;
  readonly different: number;
  readonly failed: number;
  /** The number of details by code, of services and layers. */
  readonly codes: Readonly<Record<string, number>>;
}

/** The status of a check with these details. */
export function rateDetails(details: readonly Detail[]): CheckStatus {
  if (details.some(isDifference)) return 'different';
  return details.length > 0 ? 'both-failed' : 'equal';
}

export function isDifference({ code }: Detail): boolean {
  return code !== 'both-failed';
}

export function summarize(services: readonly ComparedService[], layers: readonly ComparedLayer[]): ReportSummary {
  const codes: Record<string, number> = {};
  for (const { details } of [...services, ...layers]) {
    for (const { code } of details) codes[code] = (codes[code] ?? 0) + 1;
  }
  const countStatus = (status: CheckStatus) => layers.filter((layer) => layer.status === status).length;
  return {
    layers: layers.length,
    equal: countStatus('equal'),
    different: countStatus('different'),
    failed: countStatus('both-failed'),
    codes: Object.fromEntries(Object.entries(codes).sort(([one], [other]) => (one < other ? -1 : 1))),
  };
}
