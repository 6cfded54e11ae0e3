<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml">
  <NamedLayer>
    <Name>parks</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule>
          <LineSymbolizer>
            <Fill/><!--!13 'Fill' is not expected in LineSymbolizer. Expected: Geometry, Stroke, PerpendicularOffset or VendorOption -->
          </LineSymbolizer>
          <PointSymbolizer>
            <Mark/><!--!13 'Mark' is not expected in PointSymbolizer. Expected: Geometry, Graphic or VendorOption -->
          </PointSymbolizer>
          <PointSymbolizer>
            <Graphic>
              <Mark>
                <Size>8</Size><!--!17 'Size' is not expected in Mark. Expected: WellKnownName, Fill or Stroke -->
              </Mark>
              <Stroke/><!--!15 'Stroke' is not expected in Graphic. Expected: ExternalGraphic, Mark, Opacity, Size, Rotation, AnchorPoint or Displacement -->
            </Graphic>
          </PointSymbolizer>
          <PolygonSymbolizer>
            <CssParameter name="fill">#88AA66</CssParameter><!--!13 'CssParameter' is not expected in PolygonSymbolizer. Expected: Geometry, Fill, Stroke, Displacement, PerpendicularOffset or VendorOption -->
          </PolygonSymbolizer>
          <TextSymbolizer>
            <PointPlacement/><!--!13 'PointPlacement' is not expected in TextSymbolizer. Expected: Geometry, Label, Font, LabelPlacement, Halo, Fill, Graphic, Priority, Snippet, FeatureDescription, OtherText or VendorOption -->
          </TextSymbolizer>
          <RasterSymbolizer>
            <ColorMapEntry color="#000000" quantity="1"/><!--!13 'ColorMapEntry' is not expected in RasterSymbolizer. Expected: Geometry, Opacity, ChannelSelection, OverlapBehavior, ColorMap, ContrastEnhancement, ShadedRelief, ImageOutline or VendorOption -->
          </RasterSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
