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
          <PointSymbolizer>
            <graphic><!--? 'graphic' is read as 'Graphic' -->
              <size><ogc:PropertyName>size</ogc:PropertyName></size><!--? 'size' is read as 'Size' -->
              <mark><!--? 'mark' is read as 'Mark' -->
                <wellknownname><ogc:PropertyName>shape</ogc:PropertyName></wellknownname><!--? 'wellknownname' is read as 'WellKnownName' -->
              </mark>
            </graphic>
          </PointSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
