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
          <RasterSymbolizer>
            <ColorMap type="intervals">
              <ColorMapEntry color="#000000" quantity="-Infinity"/><!--? 'quantity' is '-Infinity', but a number was expected: it is read as unlimited -->
              <ColorMapEntry color="#004400" quantity="100"/>
              <ColorMapEntry color="#FFFFFF" quantity="Infinity"/><!--? 'quantity' is 'Infinity', but a number was expected: it is read as unlimited -->
            </ColorMap>
          </RasterSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
