<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer>
    <Name>places</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule>
          <TextSymbolizer>
            <Label>a</Label>
            <LabelPlacement>
              <PointPlacement>
                <Rotation>30</Rotation>
                <Displacement><!--? 'Displacement' must come before 'Rotation' in PointPlacement -->
                  <DisplacementY>4</DisplacementY>
                  <DisplacementX>2</DisplacementX><!--? 'DisplacementX' must come before 'DisplacementY' in Displacement -->
                </Displacement>
                <AnchorPoint><!--? 'AnchorPoint' must come before 'Rotation' in PointPlacement -->
                  <AnchorPointX>0</AnchorPointX>
                  <AnchorPointY>0.5</AnchorPointY>
                </AnchorPoint>
              </PointPlacement>
            </LabelPlacement>
          </TextSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
