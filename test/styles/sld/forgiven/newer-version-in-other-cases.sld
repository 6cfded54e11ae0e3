<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.1.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:se="http://www.opengis.net/se"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer>
    <se:Name>places</se:Name>
    <UserStyle>
      <se:FeatureTypeStyle>
        <se:Rule>
          <se:description><!--? 'se:description' is read as 'Description' -->
            <se:title>Parcels</se:title><!--? 'se:title' is read as 'Title' -->
          </se:description>
          <se:PolygonSymbolizer>
            <se:Fill>
              <se:svgParameter name="fill"><!--? 'se:svgParameter' is read as 'SvgParameter' -->
                <se:recode fallbackValue="#888888"><!--? 'se:recode' is read as 'Recode' -->
                  <se:LookupValue>
                    <ogc:PropertyName>use</ogc:PropertyName>
                  </se:LookupValue>
                  <se:MapItem>
                    <se:data>field</se:data><!--? 'se:data' is read as 'Data' -->
                    <se:Value>#DDCC88</se:Value>
                  </se:MapItem>
                </se:recode>
              </se:svgParameter>
            </se:Fill>
          </se:PolygonSymbolizer>
        </se:Rule>
      </se:FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
