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
          <name>main</name><!--? 'name' is read as 'Name' -->
          <title>Main roads</title><!--? 'title' is read as 'Title' -->
          <minScaleDenominator>1000</minScaleDenominator><!--? 'minScaleDenominator' is read as 'MinScaleDenominator' -->
          <maxScaleDenominator>50000</maxScaleDenominator><!--? 'maxScaleDenominator' is read as 'MaxScaleDenominator' -->
          <lineSymbolizer><!--? 'lineSymbolizer' is read as 'LineSymbolizer' -->
            <stroke><!--? 'stroke' is read as 'Stroke' -->
              <cssParameter name="stroke">#CC4400</cssParameter><!--? 'cssParameter' is read as 'CssParameter' -->
            </stroke>
          </lineSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
