# Draws gate_curve.csv as gate_curve.png; tools/results_pages runs it.
set terminal pngcairo font "Liberation Sans,10" size 1200,480 linewidth 1.6
set output "gate_curve.png"
set datafile separator ","
set multiplot layout 1,2
set key bottom right
set grid ytics lc rgb "#dddddd"
set xlabel "true slowdown"
set ylabel "found to be slower"
set xrange [0.995:1.305]
set yrange [-0.02:1.05]
set format y "%.1f"
set format x "%.2f"
share(noise, method) = sprintf("< awk -F, '$1 == \"%s\" && $2 == \"%s\"' gate_curve.csv", noise, method)

set title "The gate: both builds interleaved in one sitting"
set arrow 1 from 1.03, graph 0 to 1.03, graph 1 nohead dashtype 3 lc rgb "#888888"
plot share("iid 2%", "gate") using 3:5 with linespoints pt 7 ps 0.7 lc rgb "#0072b2" title "iid 2%", \
     share("iid 5%", "gate") using 3:5 with linespoints pt 5 ps 0.7 lc rgb "#56b4e9" title "iid 5%", \
     share("bimodal 15%", "gate") using 3:5 with linespoints pt 9 ps 0.8 lc rgb "#009e73" title "bimodal 15%", \
     share("rented 5%", "gate") using 3:5 with linespoints pt 11 ps 0.8 lc rgb "#e69f00" title "rented 5%", \
     share("rented 10%", "gate") using 3:5 with linespoints pt 13 ps 0.8 lc rgb "#d55e00" title "rented 10%"

set title "A stored run and a new one (Mann-Whitney, 1%, beyond 3%)"
plot share("iid 2%", "stored+delta") using 3:5 with linespoints pt 7 ps 0.7 lc rgb "#0072b2" title "iid 2%", \
     share("iid 5%", "stored+delta") using 3:5 with linespoints pt 5 ps 0.7 lc rgb "#56b4e9" title "iid 5%", \
     share("bimodal 15%", "stored+delta") using 3:5 with linespoints pt 9 ps 0.8 lc rgb "#009e73" title "bimodal 15%", \
     share("rented 5%", "stored+delta") using 3:5 with linespoints pt 11 ps 0.8 lc rgb "#e69f00" title "rented 5%", \
     share("rented 10%", "stored+delta") using 3:5 with linespoints pt 13 ps 0.8 lc rgb "#d55e00" title "rented 10%"
unset multiplot
