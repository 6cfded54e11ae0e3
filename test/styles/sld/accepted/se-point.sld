<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.1.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:se="http://www.opengis.net/se"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer>
    <se:Name>wells</se:Name>
    <UserStyle>
      <se:Name>wells_style</se:Name>
      <se:Description>
        <se:Title>Wells in the newer version</se:Title>
      </se:Description>
      <se:FeatureTypeStyle>
        <se:Rule>
          <se:Name>well</se:Name>
          <se:Description>
            <se:Title>Well</se:Title>
            <se:Abstract>Drilled or dug</se:Abstract>
          </se:Description>
          <se:MinScaleDenominator>500</se:MinScaleDenominator>
          <se:PointSymbolizer version="1.1.0" uom="http://www.opengeospatial.org/se/units/pixel">
            <se:Name>dot</se:Name>
            <se:Description><se:Title>A dot</se:Title></se:Description>
            <se:Geometry><ogc:PropertyName>position</ogc:PropertyName></se:Geometry>
            <se:Graphic>
              <se:Mark>
                <se:WellKnownName>circle</se:WellKnownName>
                <se:Fill><se:SvgParameter name="fill">#2B6CB0</se:SvgParameter></se:Fill>
                <se:Stroke>
                  <se:SvgParameter name="stroke">#FFFFFF</se:SvgParameter>
                  <se:SvgParameter name="stroke-width">1</se:SvgParameter>
                </se:Stroke>
              </se:Mark>
              <se:Opacity>0.9</se:Opacity>
              <se:Size>8</se:Size>
              <se:Rotation>0</se:Rotation>
              <se:AnchorPoint>
                <se:AnchorPointX>0.5</se:AnchorPointX>
                <se:AnchorPointY>0.5</se:AnchorPointY>
              </se:AnchorPoint>
              <se:Displacement>
                <se:DisplacementX>1</se:DisplacementX>
                <se:DisplacementY>1</se:DisplacementY>
              </se:Displacement>
            </se:Graphic>
          </se:PointSymbolizer>
        </se:Rule>
      </se:FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
