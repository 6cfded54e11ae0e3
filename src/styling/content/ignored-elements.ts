/** The elements of SLD that are read and kept, but not drawn. The documentation lists them. */
export const ignoredElements: Readonly<Record<string, string>> = {
  BaseSymbolizer: 'Symbolizers of other documents are not read.',
  ColorReplacement: 'Pictures keep their colours. SVG pictures can have parameters.',
  Extent: 'Styles apply to all features of their layer.',
  FeatureDescription: 'KML has its own description.',
  FeatureTypeConstraint: 'Styles apply to the whole layer.',
  ImageOutline: 'Rasters have no outline on maps, only in legends.',
  InlineFeature: 'Inline features are not drawn.',
  LayerCoverageConstraints: 'Styles apply to the whole layer.',
  LayerFeatureConstraints: 'Styles apply to the whole layer.',
  OtherText: 'KML has its own text.',
  RemoteOWS: 'Features of remote services are not drawn.',
  SemanticTypeIdentifier: 'Symbolizers decide what is drawn.',
  Snippet: 'KML has its own snippet.',
  UseSLDLibrary: 'Other documents are not read.',
};
