// Style sheets are imported by scripts, so that the build puts them into one file.
declare module "*.css";
