<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml">
  <NamedLayer>
    <Name>parks</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule>
          <TextSymbolizer>
            <Label>x</Label>
            <LabelPlacement>
              <PointPlacement>
                <Displacement>
                  <DisplacementY>4</DisplacementY>
                  <DisplacementX>3</DisplacementX><!--!19 'DisplacementX' must come before 'DisplacementY' in Displacement -->
                </Displacement>
                <AnchorPoint><!--!17 'AnchorPoint' must come before 'Displacement' in PointPlacement --><!--!17 'AnchorPointX' is missing in AnchorPoint -->
                  <AnchorPointY>0</AnchorPointY>
                </AnchorPoint>
              </PointPlacement>
            </LabelPlacement>
          </TextSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
