"""Mimics Python scripts that build URLs by hand, use JSON, and branch on statuses."""
import json
import os
import sys

import requests

REST = os.environ["REST"] + "/"
FILES = os.environ["FILES"]
AUTH = ("admin", os.environ["PASSWORD"])
JSON = {"content-type": "application/json"}


def call(method, path, *statuses, **options):
    response = requests.request(method, REST + path, auth=AUTH, timeout=60, **options)
    if response.status_code not in statuses:
        sys.exit(f"{method} {path}: {response.status_code} instead of {statuses}\n{response.text}")
    return response


assert call("GET", "about/version.json", 200).json()["about"]["resource"][0]["@name"] == "GeoServer"
assert call("GET", "workspaces", 200).json() == {"workspaces": ""}
assert call("GET", "workspaces/nothing.json", 404).text != ""

body = "<workspace><name>acme</name></workspace>"
created = call("POST", "workspaces", 201, data=body, headers={"content-type": "text/xml"})
assert created.text == "acme" and created.headers["location"].endswith("/workspaces/acme")
assert "already exists" in call("POST", "workspaces", 409, data=body, headers={"content-type": "text/xml"}).text
call("PUT", "workspaces/default", 200, json={"workspace": {"name": "acme"}})
assert call("GET", "workspaces/default.json", 200).json()["workspace"]["name"] == "acme"

# A chunked GeoTIFF upload with an arbitrary file name.
with open(os.path.join(FILES, "height.tif"), "rb") as file:
    call("PUT", "workspaces/acme/coveragestores/height/file.geotiff?coverageName=height", 201, data=iter(lambda: file.read(500), b""),
         headers={"content-type": "image/tiff"})
store = call("GET", "workspaces/acme/coveragestores/height.json", 200).json()["coverageStore"]
assert store["type"] == "GeoTIFF" and store["workspace"]["name"] == "acme"
coverage = call("GET", "workspaces/acme/coveragestores/height/coverages/height.json", 200).json()["coverage"]
assert coverage["srs"] == "EPSG:32633" and coverage["nativeCoverageName"]

# A layer, its style in one step, and the style of the layer.
with open(os.path.join(FILES, "lines.sld"), "rb") as file:
    sld = file.read()
call("POST", "workspaces/acme/styles?name=lines", 201, data=sld, headers={"content-type": "application/vnd.ogc.sld+xml"})
call("POST", "workspaces/acme/styles?name=lines", 403, data=sld, headers={"content-type": "application/vnd.ogc.sld+xml"})
call("PUT", "layers/acme:height", 200, headers=JSON, data=json.dumps({"layer": {"defaultStyle": {"name": "lines", "workspace": "acme"}}}))
layer = call("GET", "layers/acme:height.json", 200).json()["layer"]
assert layer["defaultStyle"]["name"] == "acme:lines" and layer["type"] == "RASTER"
# Clients with typed models require these members.
assert layer["path"] == "/" and layer["attribution"] == {"logoWidth": 0, "logoHeight": 0}

# A store that names a connection pool of a Java server, and files next to the workspace and its styles.
pool = {"entry": [{"@key": "dbtype", "$": "postgis"}, {"@key": "jndiReferenceName", "$": "java:comp/env/jdbc/data"}]}
call("POST", "workspaces/acme/datastores.json", 201, json={"dataStore": {"name": "pool", "connectionParameters": pool}})
store = call("GET", "workspaces/acme/datastores/pool.json", 200).json()["dataStore"]
assert store["type"] == "PostGIS (JNDI)" and store["enabled"] is False
for path in ["workspaces/acme/styles/image.svg", "workspaces/acme/notes.json"]:
    call("PUT", f"resource/{path}", 201, data="<svg xmlns='http://www.w3.org/2000/svg'/>")
    assert call("GET", f"resource/{path}", 200).text.startswith("<svg")

# Tiles: the layer as XML, a seed request with single quotes, and one as a form.
gwc = "../gwc/rest/"
assert "<name>acme:height</name>" in call("GET", f"{gwc}layers/acme:height.xml", 200).text
seed = "{'seedRequest':{'name':'acme:height','srs':{'number':900913},'zoomStart':0,'zoomStop':0,'format':'image/png','type':'truncate'}}"
call("POST", f"{gwc}seed/acme:height.json", 200, data=seed, headers=JSON)
call("POST", f"{gwc}seed/acme:height", 200, data={"type": "truncate", "gridSetId": "EPSG:4326", "zoomStart": "00", "zoomStop": "01"})

# Users, roles and rules.
call("POST", "security/usergroup/users/", 201, headers=JSON, data=json.dumps({"user": {"userName": "ann", "password": "long enough", "enabled": True}}))
call("POST", "security/roles/role/EDITOR", 201)
call("POST", "security/roles/role/EDITOR/user/ann", 200)
assert "EDITOR" in call("GET", "security/roles/user/ann.json", 200, headers={"Accept": "application/json"}).text
call("POST", "security/acl/layers", 200, headers=JSON, data=json.dumps({"acme.*.r": "EDITOR"}))
assert call("GET", "security/acl/layers.json", 200).json()["acme.*.r"] == "EDITOR"
call("DELETE", "security/acl/layers/acme.*.r", 200)

# Clean up, with the statuses that scripts expect.
call("DELETE", "workspaces/acme", 403, 400)
call("DELETE", "workspaces/acme?recurse=true", 200)
call("DELETE", "workspaces/acme?recurse=true", 404)
assert requests.get(REST + "workspaces.json", timeout=60).status_code == 401
print(json.dumps("done"))
