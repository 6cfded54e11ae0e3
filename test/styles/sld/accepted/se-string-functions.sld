<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.1.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:se="http://www.opengis.net/se"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer>
    <se:Name>measurements</se:Name>
    <UserStyle>
      <se:Name>measurements_style</se:Name>
      <se:Description>
        <se:Title>Labels put together by functions</se:Title>
      </se:Description>
      <se:FeatureTypeStyle>
        <se:Rule>
          <se:TextSymbolizer>
            <se:Label>
              <se:Concatenate fallbackValue="">
                <se:StringValue>
                  <se:FormatNumber fallbackValue="" groupingSeparator="." decimalPoint=",">
                    <se:NumericValue><ogc:PropertyName>value</ogc:PropertyName></se:NumericValue>
                    <se:Pattern>#,##0.00</se:Pattern>
                    <se:NegativePattern>-#,##0.00</se:NegativePattern>
                  </se:FormatNumber>
                </se:StringValue>
                <se:StringValue>
                  <se:Substring fallbackValue="">
                    <se:StringValue><ogc:PropertyName>unit</ogc:PropertyName></se:StringValue>
                    <se:Position>1</se:Position>
                    <se:Length>
                      <se:StringPosition fallbackValue="2" searchDirection="frontToBack">
                        <se:LookupString>/</se:LookupString>
                        <se:StringValue><ogc:PropertyName>unit</ogc:PropertyName></se:StringValue>
                      </se:StringPosition>
                    </se:Length>
                  </se:Substring>
                </se:StringValue>
                <se:StringValue>
                  <se:FormatDate fallbackValue="">
                    <se:DateValue><ogc:PropertyName>at</ogc:PropertyName></se:DateValue>
                    <se:Pattern>DD.MM.YYYY</se:Pattern>
                  </se:FormatDate>
                </se:StringValue>
              </se:Concatenate>
            </se:Label>
            <se:Priority>
              <se:StringLength fallbackValue="0">
                <se:StringValue>
                  <se:Trim fallbackValue="" stripOffPosition="both" stripOffChar=" ">
                    <se:StringValue><ogc:PropertyName>unit</ogc:PropertyName></se:StringValue>
                  </se:Trim>
                </se:StringValue>
              </se:StringLength>
            </se:Priority>
          </se:TextSymbolizer>
        </se:Rule>
      </se:FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
