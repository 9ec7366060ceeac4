kernel void k(global int *p) { int none[0]; *p = (int)sizeof none; }
