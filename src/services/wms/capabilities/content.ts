/** The content of WMS capabilities for both versions. */
import type { Attribution, AuthorityUrl, LayerIdentifier } from '../../../catalog/kinds/layer-metadata.ts';
import type { Bounds } from '../../../crs/bounds.ts';
import type { Contact, ServiceFacts } from '../../ows/service-settings.ts';

export interface CapabilitiesContent {
  /** The address of all operations. */
  readonly address: string;
  readonly service: ServiceFacts;
  readonly contact: Contact;
  readonly updateSequence: number;
  readonly mapFormats: readonly string[];
  readonly infoFormats: readonly string[];
  readonly legendFormats: readonly string[];
  /** Whether clients may send styles. */
  readonly takesStyles: boolean;
  /** The maximum width and height of a map. */
  readonly maxSide: number;
  readonly root: ListedRoot;
  /** There may be very many. */
  readonly layers: Iterable<ListedMap>;
  /** The tiles of layers, for version 1.1.1 only; undefined if they are not listed. */
  readonly tileSets: ListedTileSets | undefined;
}

export interface ListedTileSets {
  /** The extension of the DTD. */
  readonly declarations: string;
  /** The elements of each layer. */
  readonly elements: readonly string[];
}

/** The root layer. */
export interface ListedRoot {
  readonly title: string;
  readonly abstract: string;
  /** The CRS codes that all layers support. */
  readonly crs: readonly string[];
  /** The extent of all layers, in degrees. */
  readonly geographic: Bounds;
}

export interface ListedMap {
  /** Undefined for a group that only contains others. */
  readonly name: string | undefined;
  readonly title: string;
  readonly abstract: string;
  readonly keywords: readonly string[];
  /** CRS codes in addition to those of the root. */
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
  /** 0 and Infinity for no limit. */
  readonly minScale: number;
  readonly maxScale: number;
  readonly isQueryable: boolean;
  readonly isOpaque: boolean;
  readonly children: readonly ListedMap[];
}

/** A box with x before y; documents use the axis order of the CRS if their version requires it. */
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
  /** Whether the nearest value replaces a missing one. */
  readonly isNearest: boolean;
  /** Separated by commas. */
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
