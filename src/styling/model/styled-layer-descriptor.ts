/** The whole of a style document, down to its rules: everything SLD 1.0, SLD 1.1 with Symbology Encoding, and CSS can say. */

import type { Expression } from '../../filter/model/expression.ts';
import type { Filter } from '../../filter/model/filter.ts';
import type { Description } from './description.ts';
import type { Fill, ForeignElement, Graphic, VendorOption } from './paint.ts';
import type { Symbolizer } from './symbolizer.ts';

export interface StyledLayerDescriptor extends Description {
  readonly kind: 'styledLayerDescriptor';
  readonly name?: string | undefined;
  /** Addresses of descriptors that named styles may come from; never an empty list. */
  readonly libraries?: readonly string[] | undefined;
  readonly layers: readonly Layer[];
}

/** The layers of a descriptor: those the server has, and those the document brings along. */
export type Layer = NamedLayer | UserLayer;

interface LayerBase extends Description {
  /** Which features of the layer are drawn; all by default. */
  readonly featureConstraints?: readonly FeatureTypeConstraint[] | undefined;
}

export interface NamedLayer extends LayerBase {
  readonly kind: 'namedLayer';
  /** The name of a layer of the server. */
  readonly name: string;
  readonly styles: readonly (NamedStyle | UserStyle)[];
}

export interface UserLayer extends LayerBase {
  readonly kind: 'userLayer';
  readonly name?: string | undefined;
  /** Where the data are. */
  readonly source?: RemoteService | InlineFeatures | undefined;
  /** The `LayerCoverageConstraints` of SLD 1.1, instead of constraints of features. */
  readonly coverageConstraints?: ForeignElement | undefined;
  readonly styles: readonly UserStyle[];
}

/** A style of the server, by its name. */
export interface NamedStyle extends Description {
  readonly kind: 'namedStyle';
  readonly name: string;
}

export interface FeatureTypeConstraint {
  readonly featureTypeName?: string | undefined;
  readonly filter?: Filter | undefined;
  /** Values of dimensions, such as `time`. */
  readonly extents: readonly { readonly name: string; readonly value: string }[];
}

export interface RemoteService {
  readonly kind: 'remoteService';
  readonly service: 'WFS' | 'WCS';
  readonly href: string;
}

export interface InlineFeatures {
  readonly kind: 'inlineFeatures';
  /** The `InlineFeature` element with the GML in it. */
  readonly element: ForeignElement;
}

/** A style that is written out, rather than named. */
export interface UserStyle extends Description {
  readonly kind: 'userStyle';
  readonly name?: string | undefined;
  /** Whether a layer uses it without being asked; false by default. */
  readonly isDefault?: boolean | undefined;
  /** Painted below everything; transparent by default. */
  readonly background?: Fill | undefined;
  /** Painted in this order. */
  readonly featureTypeStyles: readonly FeatureTypeStyle[];
  /** Addresses of styles elsewhere, which follow its own; never an empty list. */
  readonly remoteStyles?: readonly string[] | undefined;
}

/** Rules that are drawn together, below the next style of the same user style. */
export interface FeatureTypeStyle extends Description {
  readonly kind: 'featureTypeStyle';
  readonly name?: string | undefined;
  /** Whether Symbology Encoding calls it a style of coverages; false by default. */
  readonly ofCoverages?: true | undefined;
  /** The only feature type, or coverage, to draw like this; any by default. */
  readonly featureTypeName?: string | undefined;
  /** What kinds of data it is meant for, such as `generic:line`; never an empty list. */
  readonly semanticTypeIdentifiers?: readonly string[] | undefined;
  /** Computes other data from the layer's before they are drawn; kept as it is, and never looked into here. */
  readonly transformation?: Expression | undefined;
  /** Applied in this order, each to all features that fit. */
  readonly rules: readonly Rule[];
  /** Addresses of rules elsewhere, which follow its own; never an empty list. */
  readonly remoteRules?: readonly string[] | undefined;
  /** In the order written; never an empty list. */
  readonly vendorOptions?: readonly VendorOption[] | undefined;
}

/** Which features are drawn at which scales, and how. */
export interface Rule extends Description {
  readonly kind: 'rule';
  readonly name?: string | undefined;
  /** The symbol of the rule in a legend; by default what the symbolizers draw. */
  readonly legendGraphic?: Graphic | undefined;
  /** All features by default; `else` means those that no other rule of the same style and scale took. */
  readonly filter?: Filter | ElseFilter | undefined;
  /** Drawn at this scale denominator and above (from `1:25000` on, for 25000); 0 by default. */
  readonly minScaleDenominator?: number | undefined;
  /** Drawn below this scale denominator, exclusive; without end by default. */
  readonly maxScaleDenominator?: number | undefined;
  /** Painted in this order. */
  readonly symbolizers: readonly Symbolizer[];
  /** In the order written; never an empty list. */
  readonly vendorOptions?: readonly VendorOption[] | undefined;
}

export interface ElseFilter {
  readonly kind: 'else';
}
