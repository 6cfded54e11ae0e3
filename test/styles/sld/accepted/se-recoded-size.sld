<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.1.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:se="http://www.opengis.net/se"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer>
    <se:Name>shops</se:Name>
    <UserStyle>
      <se:Name>shops_style</se:Name>
      <se:Description>
        <se:Title>Shops by size</se:Title>
      </se:Description>
      <se:FeatureTypeStyle>
        <se:Rule>
          <se:PointSymbolizer>
            <se:Graphic>
              <se:Mark>
                <se:WellKnownName>circle</se:WellKnownName>
                <se:Fill>
                  <se:SvgParameter name="fill">
                    <se:Interpolate fallbackValue="#FFFFFF" method="color">
                      <se:LookupValue><ogc:PropertyName>turnover</ogc:PropertyName></se:LookupValue>
                      <se:InterpolationPoint><se:Data>0</se:Data><se:Value>#FFFFFF</se:Value></se:InterpolationPoint>
                      <se:InterpolationPoint><se:Data>100</se:Data><se:Value>#DD6B20</se:Value></se:InterpolationPoint>
                    </se:Interpolate>
                  </se:SvgParameter>
                </se:Fill>
              </se:Mark>
              <se:Size>
                <se:Recode fallbackValue="6">
                  <se:LookupValue><ogc:PropertyName>size</ogc:PropertyName></se:LookupValue>
                  <se:MapItem><se:Data>1</se:Data><se:Value>4</se:Value></se:MapItem>
                  <se:MapItem><se:Data>2</se:Data><se:Value>8</se:Value></se:MapItem>
                  <se:MapItem><se:Data>3</se:Data><se:Value><ogc:PropertyName>px</ogc:PropertyName></se:Value></se:MapItem>
                </se:Recode>
              </se:Size>
              <se:Rotation>
                <se:Categorize fallbackValue="0" threshholdsBelongTo="preceding">
                  <se:LookupValue><ogc:PropertyName>age</ogc:PropertyName></se:LookupValue>
                  <se:Value>0</se:Value>
                  <se:Threshold>10</se:Threshold>
                  <se:Value>45</se:Value>
                </se:Categorize>
              </se:Rotation>
            </se:Graphic>
          </se:PointSymbolizer>
        </se:Rule>
      </se:FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
