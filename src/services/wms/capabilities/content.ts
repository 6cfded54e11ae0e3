/** What the capabilities of a WMS tell, whatever the version. */
import type { Attribution, AuthorityUrl, LayerIdentifier } from '../../../catalog/kinds/layer-metadata.ts';
import type { Bounds } from '../../../crs/bounds.ts';
import type { Contact, ServiceFacts } from '../../ows/service-settings.ts';

export interface CapabilitiesContent {
  /** Where every operation is sent to. */
  readonly address: string;
  readonly service: ServiceFacts;
  readonly contact: Contact;
  readonly updateSequence: number;
  readonly mapFormats: readonly string[];
  readonly infoFormats: readonly string[];
  readonly legendFormats: readonly string[];
  /** Whether clients may bring styles along. */
  readonly takesStyles: boolean;
  /** The longest side of a map. */
  readonly maxSide: number;
  readonly root: ListedRoot;
  /** There may be very many. */
  readonly layers: Iterable<ListedMap>;
}

/** The layer that holds all others. */
export interface ListedRoot {
  readonly title: string;
  readonly abstract: string;
  /** Codes of the systems that all layers can be had in. */
  readonly crs: readonly string[];
  /** Around all layers, in degrees. */
  readonly geographic: Bounds;
}

export interface ListedMap {
  /** Undefined for a group that only holds others. */
  readonly name: string | undefined;
  readonly title: string;
  readonly abstract: string;
  readonly keywords: readonly string[];
  /** Codes of systems beside those of the root. */
  readonly crs: readonly string[];
  /** In degrees. */
  readonly geographic: Bounds | undefined;
  readonly boxes: readonly ListedBox[];
  readonly dimensions: readonly ListedDimension[];
  readonly attribution: Attribution | undefined;
  readonly authorityURLs: readonly AuthorityUrl[];
  readonly identifiers: readonly LayerIdentifier[];
  readonly metadata: readonly ListedLink[];
  readonly data: readonly ListedLink[];
  readonly styles: readonly ListedStyle[];
  /** 0 and infinite for no limit. */
  readonly minScale: number;
  readonly maxScale: number;
  readonly isQueryable: boolean;
  readonly isOpaque: boolean;
  readonly children: readonly ListedMap[];
}

/** A box in a system, x before y; documents have it in the order of the system's axes where their version says so. */
export interface ListedBox {
  readonly crs: string;
  readonly bounds: Bounds;
  readonly isNorthFirst: boolean;
}

export interface ListedDimension {
  readonly name: string;
  readonly units: string;
  readonly unitSymbol: string | undefined;
  readonly default: string | undefined;
  /** Whether the nearest value is shown for one that is not there. */
  readonly isNearest: boolean;
  /** With commas between. */
  readonly values: string;
}

export interface ListedLink {
  readonly type: string;
  readonly format: string;
  readonly href: string;
}

export interface ListedStyle {
  readonly name: string;
  readonly title: string;
  readonly abstract: string;
  readonly legend: {
    readonly width: number;
    readonly height: number;
    readonly format: string;
    readonly href: string;
  };
}
