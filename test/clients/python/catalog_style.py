"""Mimics Python clients that read the catalog as XML objects, resolve links, and compare statuses exactly."""
import io
import json
import os
import sys
import xml.etree.ElementTree as ET
import zipfile

import requests

REST = os.environ["REST"]
FILES = os.environ["FILES"]
session = requests.Session()
session.auth = ("admin", os.environ["PASSWORD"])
XML = {"Accept": "application/xml"}


def expect(response, *statuses):
    if response.status_code not in statuses:
        sys.exit(f"{response.request.method} {response.url}: {response.status_code} instead of {statuses}\n{response.text}")
    return response


def read(path):
    """Returns a document and the names it lists: such clients read nothing else."""
    root = ET.fromstring(expect(session.get(f"{REST}/{path}", headers=XML), 200).content)
    return root, [each.text for each in root.iter("name")]


def zipped(*names):
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w") as archive:
        for name in names:
            archive.write(os.path.join(FILES, name), name)
    return body.getvalue()


# These clients first request the server version.
version, _ = read("about/version.xml")
assert version.tag == "about"
assert version.find("resource[@name='GeoServer']/Version").text[0].isdigit()

# A workspace and its namespace are created together, through either resource.
body = "<namespace><prefix>acme</prefix><uri>http://acme.example/</uri></namespace>"
expect(session.post(f"{REST}/namespaces", data=body, headers={"Content-type": "application/xml"}), 201)
root, names = read("workspaces.xml")
assert names == ["acme"], names
link = root.find("workspace/{http://www.w3.org/2005/Atom}link").get("href")
workspace, _ = read(link[len(REST) + 1:])
assert [each.tag for each in workspace if "tores" in each.tag] == ["dataStores", "coverageStores", "wmsStores", "wmtsStores"]

# Uploads must return exactly 201, for any charset and unusual content types.
archive = zipped("roads.shp", "roads.shx", "roads.dbf", "roads.prj")
upload = f"{REST}/workspaces/acme/datastores/roads/file.shp?update=overwrite"
expect(session.put(upload, data=archive, headers={"Content-type": "application/zip", "Accept": "application/xml"}), 201)
expect(session.put(upload, data=archive, headers={"Content-type": "application/zip", "Accept": "application/xml"}), 201)
store, _ = read("workspaces/acme/datastores/roads.xml")
assert store.find("connectionParameters/entry[@key='url']").text.startswith("file:")
types, names = read("workspaces/acme/datastores/roads/featuretypes.xml")
assert "roads" in names, names

# The types that are not yet published.
available = ET.fromstring(expect(session.get(f"{REST}/workspaces/acme/datastores/roads/featuretypes.xml?list=available"), 200).content)
assert [node.text for node in available.findall("featureTypeName")] == [], available

# The client sends the whole document back with one change.
feature_type = expect(session.get(f"{REST}/workspaces/acme/datastores/roads/featuretypes/roads.xml", headers=XML), 200)
changed = feature_type.text.replace("<title>roads</title>", "<title>Roads</title>")
assert changed != feature_type.text
url = f"{REST}/workspaces/acme/datastores/roads/featuretypes/roads.xml"
expect(session.put(url, data=changed.encode(), headers={"Content-type": "application/xml"}), 200)
assert read("workspaces/acme/datastores/roads/featuretypes/roads.xml")[0].find("title").text == "Roads"

# A store by its parameters, with its name repeated in the query.
document = """<dataStore><name>more</name><enabled>true</enabled><connectionParameters>
<entry key="url">file:data/more</entry></connectionParameters></dataStore>"""
headers = {"Content-type": "application/xml"}
expect(session.post(f"{REST}/workspaces/acme/datastores?name=more", data=document, headers=headers), 201)
expect(session.put(f"{REST}/workspaces/acme/datastores/more", data="<dataStore><enabled>False</enabled></dataStore>", headers=headers), 200)
expect(session.delete(f"{REST}/workspaces/acme/datastores/more.xml?recurse=True"), 200)

# Styles in two steps: the entry, then the content under its media type.
entry = "<style><name>lines</name><filename>lines.sld</filename></style>"
created = session.post(f"{REST}/styles", data=entry, headers={"Content-type": "application/xml", "Accept": "text/plain"})
if created.status_code == 406:
    created = session.post(f"{REST}/styles", data=entry, headers={"Content-type": "application/xml", "Accept": "application/xml"})
expect(created, 200, 201)
with open(os.path.join(FILES, "lines.sld"), "rb") as file:
    sld = file.read()
content = {"Content-type": "application/vnd.ogc.sld+xml", "Accept": "application/xml"}
expect(session.put(f"{REST}/styles/lines.xml", data=sld, headers=content), 200, 201)
assert expect(session.get(f"{REST}/styles/lines.sld"), 200).content == sld
style = expect(session.get(f"{REST}/styles/lines.json"), 200).json()["style"]
assert (style["format"], style["languageVersion"]["version"]) == ("sld", "1.0.0"), style

# Assign the style by sending the layer document back.
layer = ET.fromstring(expect(session.get(f"{REST}/layers/acme:roads.xml", headers=XML), 200).content)
layer.find("defaultStyle/name").text = "lines"
expect(session.put(f"{REST}/layers/acme:roads.xml", data=ET.tostring(layer), headers=headers), 200)
assert read("layers/acme:roads.xml")[0].find("defaultStyle/name").text == "lines"

# Related clients use JSON, with Python booleans and a Content-Type on reads.
listed = expect(session.get(f"{REST}/workspaces.json", headers={"Content-type": "application/json"}), 200).json()
assert listed["workspaces"]["workspace"][0]["name"] == "acme"
password = expect(session.get(f"{REST}/security/masterpw.xml"), 200)
assert ET.fromstring(password.content).find("oldMasterPassword") is not None

expect(session.delete(f"{REST}/workspaces/acme.xml?recurse=true"), 200)
expect(session.delete(f"{REST}/styles/lines.xml?purge=true&recurse=true"), 200)
assert read("workspaces.xml")[1] == []
print(json.dumps("done"))
