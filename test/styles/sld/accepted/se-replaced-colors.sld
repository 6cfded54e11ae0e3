<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.1.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:se="http://www.opengis.net/se"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer>
    <se:Name>buses</se:Name>
    <UserStyle>
      <se:Name>buses_style</se:Name>
      <se:Description>
        <se:Title>One picture in the colour of each line</se:Title>
      </se:Description>
      <se:FeatureTypeStyle>
        <se:Rule>
          <se:PointSymbolizer>
            <se:Graphic>
              <se:ExternalGraphic>
                <se:OnlineResource xlink:type="simple" xlink:href="bus.gif"/>
                <se:Format>image/gif</se:Format>
                <se:ColorReplacement>
                  <se:Recode fallbackValue="#000000">
                    <se:LookupValue>#00FF00</se:LookupValue>
                    <se:MapItem><se:Data>1</se:Data><se:Value><ogc:PropertyName>color</ogc:PropertyName></se:Value></se:MapItem>
                  </se:Recode>
                </se:ColorReplacement>
              </se:ExternalGraphic>
            </se:Graphic>
          </se:PointSymbolizer>
        </se:Rule>
      </se:FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
