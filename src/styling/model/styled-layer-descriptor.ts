/**
 * The style model from document to rule: everything that SLD 1.0, SLD 1.1 with Symbology Encoding, and CSS can
 * express.
 */

import type { Expression } from '../../filter/model/expression.ts';
import type { Filter } from '../../filter/model/filter.ts';
import type { Description } from './description.ts';
import type { Fill, ForeignElement, Graphic, VendorOption } from './paint.ts';
import type { Symbolizer } from './symbolizer.ts';

export interface StyledLayerDescriptor extends Description {
  readonly kind: 'styledLayerDescriptor';
  readonly name?: string | undefined;
  /** The addresses of descriptors with named styles; never empty. */
  readonly libraries?: readonly string[] | undefined;
  readonly layers: readonly Layer[];
}

/** The layers of a descriptor: those of the server, and those defined in the document. */
export type Layer = NamedLayer | UserLayer;

interface LayerBase extends Description {
  /** The features of the layer that are drawn; all by default. */
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
  /** The source of the data. */
  readonly source?: RemoteService | InlineFeatures | undefined;
  /** The `LayerCoverageConstraints` of SLD 1.1, instead of feature constraints. */
  readonly coverageConstraints?: ForeignElement | undefined;
  readonly styles: readonly UserStyle[];
}

/** A style of the server, by name. */
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
  /** The `InlineFeature` element with its GML. */
  readonly element: ForeignElement;
}

/** A style that is defined in the document. */
export interface UserStyle extends Description {
  readonly kind: 'userStyle';
  readonly name?: string | undefined;
  /** Whether it is the default style of the layer; false by default. */
  readonly isDefault?: boolean | undefined;
  /** Painted below everything; transparent by default. */
  readonly background?: Fill | undefined;
  /** Painted in this order. */
  readonly featureTypeStyles: readonly FeatureTypeStyle[];
  /** The addresses of external styles, which follow its own; never empty. */
  readonly remoteStyles?: readonly string[] | undefined;
}

/** Rules that are drawn together, below the next feature type style of the same user style. */
export interface FeatureTypeStyle extends Description {
  readonly kind: 'featureTypeStyle';
  readonly name?: string | undefined;
  /** Whether it is a `CoverageStyle` of Symbology Encoding; false by default. */
  readonly ofCoverages?: true | undefined;
  /** The feature type or coverage that it applies to; any by default. */
  readonly featureTypeName?: string | undefined;
  /** The intended types of data, such as `generic:line`; never empty. */
  readonly semanticTypeIdentifiers?: readonly string[] | undefined;
  /** Computes the drawn data from the data of the layer. */
  readonly transformation?: Expression | undefined;
  /** Applied in this order, each to all matching features. */
  readonly rules: readonly Rule[];
  /** The addresses of external rules, which follow its own; never empty. */
  readonly remoteRules?: readonly string[] | undefined;
  /** In the order written; never empty. */
  readonly vendorOptions?: readonly VendorOption[] | undefined;
}

/** The features and scales that are drawn, and their symbolizers. */
export interface Rule extends Description {
  readonly kind: 'rule';
  readonly name?: string | undefined;
  /** The symbol of the rule in a legend; by default a sample of the symbolizers. */
  readonly legendGraphic?: Graphic | undefined;
  /** All features by default; `else` matches features that no other rule of the same style and scale matches. */
  readonly filter?: Filter | ElseFilter | undefined;
  /** Drawn from this scale denominator, inclusive; 0 by default. */
  readonly minScaleDenominator?: number | undefined;
  /** Drawn up to this scale denominator, exclusive; unlimited by default. */
  readonly maxScaleDenominator?: number | undefined;
  /** Painted in this order. */
  readonly symbolizers: readonly Symbolizer[];
  /** In the order written; never empty. */
  readonly vendorOptions?: readonly VendorOption[] | undefined;
}

export interface ElseFilter {
  readonly kind: 'else';
}
