// An action for STAC Browser (https://github.com/radiantearth/stac-browser, docs/actions.md): "Open in Refscope" beside
// assets that are virtual Zarr, Zarr, Icechunk, HDF5, NetCDF or GRIB. Copy it to src/actions/assets/Refscope.js, put the
// address of your Refscope below, and add it to assetActions.config.js.
import AssetActionPlugin from "../AssetActionPlugin";
import { URI } from "stac-js/src/utils.js";
import i18n from "../../i18n";

const PAGE = "https://YOUR-REFSCOPE/";

const TYPES =
  /^application\/(?:vnd[.+](?:\w+\+)?zarr|vnd\.apache\.icechunk|x-?hdf5?|vnd\.hdf5?|x-netcdf\d?|netcdf|wmo-grib2?)\b/i;
const NAMES = /\.(?:zarr|icechunk|nc4?|h5|hdf5|he5|grib2?|grb2?)\/?$/i;
// JSON and Parquet are many things: these alone are references.
const REFERENCES = ["references", "index", "virtual", "kerchunk", "virtual-zarr"];

export default class Refscope extends AssetActionPlugin {
  get show() {
    const { type = "", href, roles = [] } = this.asset;
    const isReferences = /json|parquet/i.test(type) && roles.some((role) => REFERENCES.includes(role));
    return this.component.isBrowserProtocol && (TYPES.test(type) || NAMES.test(URI(href).path()) || isReferences);
  }

  get uri() {
    return URI(PAGE).addQuery("url", this.component.href);
  }

  get text() {
    return i18n.global.t("actions.openIn", { service: "Refscope" });
  }
}
